import GatehouseProtocol
import HTTPTypes

extension APIServices {
  /// Counts a refused sign-in. What the server itself failed to do is none.
  func countFailure(_ error: any Error, of call: Call, _ route: Route) async {
    guard let project = call.project,
      ErrorMapping(error, envelope: route.envelope).status.kind == .clientError
    else { return }
    let method = await method(of: call, route, in: project)
    EventOrigin.current.subject?.set(method: method)
    accounts.signInCounts.add(.failure, method, in: project.id, now: call.now)
  }

  /// From a fixed set, or a provider of the project: anyone can send other names.
  private func method(of call: Call, _ route: Route, in project: Project) async -> String {
    switch route.name {
    case "signInWithPassword", "signInWithEmailLink", "signUp": return ProviderID.password.text
    case "signInWithPhoneNumber": return ProviderID.phone.text
    case "signInWithCustomToken": return ProviderID.custom.text
    case "passkeySignIn.finalize", "passkeyEnrollment.finalize": return ProviderID.passkey.text
    default: break
    }
    let body = (try? call.fields.string("postBody")).flatMap { FormFields($0)["providerId"] }
    guard let id = body.flatMap({ ProviderID($0) }),
      (try? await projects.provider(id, in: project.id)) != nil
    else { return "other" }
    return id.text
  }
}
