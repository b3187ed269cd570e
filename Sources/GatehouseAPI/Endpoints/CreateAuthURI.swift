import GatehouseAccounts
import GatehouseModel
import GatehouseWire

/// `accounts:createAuthUri` with an `identifier`: how an address can sign in.
///
/// Under the project's enumeration protection it tells nothing. Beginning a redirect (`providerId`)
/// belongs to the browser's flow, which is refused here.
struct CreateAuthURI: Sendable {
  let services: APIServices

  func answer(_ call: Call) async throws -> Answer {
    let request = try call.request(CreateAuthURIRequest.self)
    let project = try call.requireProject()
    if request.identifier == nil, request.providerID == nil {
      throw APIError.refused("MISSING_IDENTIFIER")
    }
    guard request.continueURI != nil else { throw APIError.refused("MISSING_CONTINUE_URI") }
    guard let identifier = request.identifier else {
      throw APIError.refused(
        "OPERATION_NOT_ALLOWED : Sign-in by redirect isn't offered by this server.")
    }
    guard let email = EmailAddress(identifier) else {
      throw APIError.refused("INVALID_IDENTIFIER")
    }
    var response = CreateAuthURIResponse(sessionID: request.sessionID ?? Self.randomSessionID())
    if !project.policies.protectsEmails {
      let methods = try await services.accounts.signInMethods(of: email, in: project)
      response.registration = CreateAuthURIResponse.Registration(
        isRegistered: methods != nil, providers: methods?.providerNames ?? [],
        signInMethods: methods?.names ?? [])
    }
    return Answer(response)
  }

  private static func randomSessionID() -> String {
    var generator = SystemRandomNumberGenerator()
    return UID(using: &generator).text
  }
}

extension SignInMethods {
  /// Password and email link are one provider with two methods.
  fileprivate var providerNames: [String] {
    (password || emailLink ? [ProviderID.password.text] : []) + providers.map(\.text)
  }

  fileprivate var names: [String] {
    (password ? [ProviderID.password.text] : []) + (emailLink ? ["emailLink"] : [])
      + providers.map(\.text)
  }
}
