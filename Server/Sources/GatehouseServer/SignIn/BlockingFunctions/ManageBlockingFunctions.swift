import Foundation
import GatehouseProtocol
import Synchronization

/// `v2/projects/{p}/blockingFunctions/{trigger}`: what `blockingFunctions` of `config` can't do.
struct ManageBlockingFunctions: Endpoint {
  let services: APIServices

  var routes: [Route] {
    let one = "v2/projects/*/blockingFunctions/*"
    return [
      .administrator(
        .post, "\(one):rotateSecret", "blockingFunctions.rotateSecret", rotateSecret),
      .administrator(.post, "\(one):test", "blockingFunctions.test", test),
    ]
  }

  private static let notFound = APIError.notFound(
    "The project has no function of this trigger: beforeCreate or beforeSignIn.")

  /// Signs with a new secret, which this response shows once, and with the one before.
  func rotateSecret(_ call: Call) async throws -> Answer {
    let (trigger, _) = try function(call)
    let created = Mutex<WebhookSecret?>(nil)
    let project = try await services.projects.updateProject(try call.requireProject().id) {
      guard let known = $0.blockingFunctions[trigger] else { throw Self.notFound }
      let secret = $0.blockingFunctions.set(
        trigger, url: known.url, rotatesSecret: true, now: call.now)
      created.withLock { $0 = secret }
    }
    guard let function = project?.blockingFunctions[trigger] else { throw Self.notFound }
    return Answer(FunctionSecretResponse(function, secret: created.withLock { $0 }))
  }

  /// Asks the function about a user who doesn't exist. Nothing is created.
  func test(_ call: Call) async throws -> Answer {
    let (trigger, function) = try function(call)
    let project = try call.requireProject()
    let client = BlockingFunctionClient(
      transport: services.functions, codec: BlockingFunctionCodec(keys: services.idTokenKeys),
      logger: services.logger)
    guard let uid = UID("gatehouse-test") else { throw Self.notFound }
    var account = Account(uid: uid, createdAt: call.now)
    account.email = EmailAddress("gatehouse-test@example.com")
    let question = BlockingQuestion(
      trigger, about: account,
      context: BlockingContext(method: ProviderID.password.text, client: .unknown))
    let finding: Finding
    do throws(BlockingFunctionFault) {
      let answer = try await client.answer(of: function, to: question, in: project, now: call.now)
      finding = Finding(trigger.rawValue, .ok, "\(function.url) \(Self.text(answer))")
    } catch {
      finding = Finding(trigger.rawValue, .failed(remedy: Self.remedy(error)), error.description)
    }
    return Answer(FindingsResponse([finding]))
  }

  private func function(_ call: Call) throws -> (BlockingFunction.Trigger, BlockingFunction) {
    guard let trigger = call.path.resource.flatMap({ BlockingFunction.Trigger(rawValue: $0) }),
      let function = try call.requireProject().blockingFunctions[trigger]
    else { throw Self.notFound }
    return (trigger, function)
  }

  private static func text(_ answer: BlockingFunctionAnswer) -> String {
    let text =
      switch answer.outcome {
      case .allowed(let changes):
        changes.isEmpty ? "allows the user" : "allows the user, and changes the account"
      case .refused(let refusal): "refuses the user: \(refusal.message)"
      case .failed: "failed"
      }
    guard !answer.ignored.isEmpty else { return text }
    return "\(text); without effect: \(answer.ignored.joined(separator: ", "))"
  }

  private static func remedy(_ fault: BlockingFunctionFault) -> String {
    switch fault {
    case .status(401), .status(403):
      "Does the function know its secret, and verify the JWT with this project's key set?"
    case .notSent(.timedOut):
      "Users wait for the function's answer. Do slow work after it, or raise blockingFunctions.seconds."
    case .notSent(let error): error.remedy(for: "the function")
    case .malformedURL, .notSigned, .tooManyCalls: "Try again."
    case .status, .notJSON, .errorWithSuccess, .forbiddenMember, .invalidMember, .claimsTooLarge:
      "Correct the function's answer: docs/guides/blocking-functions.md shows its form."
    }
  }
}

private struct FunctionSecretResponse: WireResponse {
  let functionURI: String
  let secret: Secret<String>?

  init(_ function: BlockingFunction, secret: WebhookSecret?) {
    functionURI = function.url
    self.secret = secret?.text
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("functionUri", functionURI)
    writer.member("secret", ifPresent: secret?.reveal())
  }
}
