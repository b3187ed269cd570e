import Foundation
import GatehouseProtocol
import Synchronization

/// `v2/projects/{p}/codeWebhook`: the program that sends a project's codes. The other settings of sign-in by phone
/// number are in `config`.
struct ManageCodeWebhook: Endpoint {
  let services: APIServices
  let configuration: APIConfiguration

  var routes: [Route] {
    let path = "v2/projects/*/codeWebhook"
    return [
      .administrator(.get, path, "codeWebhook.get", get),
      .administrator(.patch, path, "codeWebhook.patch", patch),
      .administrator(.delete, path, "codeWebhook.delete", delete),
      .administrator(.post, "\(path):test", "codeWebhook.test", test),
    ]
  }

  private static let notFound = APIError.notFound("The project has no webhook for codes.")

  /// Empty if there is none.
  func get(_ call: Call) async throws -> Answer {
    let found = try await stored(call)
    return Answer(found.map { CodeWebhookResource($0) } ?? CodeWebhookResource())
  }

  /// Sets the webhook, or changes it. A new one gets a secret, which this response shows once, unless the request
  /// has one.
  func patch(_ call: Call) async throws -> Answer {
    try call.refuseUnknownMembers(CodeWebhookResource.knownMembers)
    let resource = try call.request(CodeWebhookResource.self)
    let url = try resource.url.map {
      try WebhookAddress.checked($0, field: "url", configuration)
    }
    let secret = try resource.secret.map { text throws(APIError) in
      guard let secret = WebhookSecret(text) else {
        throw .invalidConfiguration(
          .invalidConfig, "secret is whsec_ and the base64 of 24 to 64 bytes.")
      }
      return secret
    }
    let project = try call.requireProject().id
    // Outside of the transaction, which may run twice.
    let random = WebhookSecret.random()
    let (webhook, isCreated) = try await services.projects.changing { transaction in
      let known = try transaction.codeWebhook(of: project)
      guard let url = url ?? known?.url else {
        throw APIError.invalidConfiguration(.invalidConfig, "url is missing.")
      }
      let isCreated = known == nil && secret == nil
      let webhook = CodeWebhook(url: url, secret: secret ?? known?.secret ?? random)
      try transaction.save(webhook, of: project)
      return (webhook, isCreated)
    }
    return Answer(CodeWebhookResource(webhook, showsSecret: isCreated))
  }

  func delete(_ call: Call) async throws -> Answer {
    let project = try call.requireProject().id
    guard try await services.projects.changing({ try $0.deleteCodeWebhook(of: project) }) else {
      throw Self.notFound
    }
    return Answer(EmptyResponse())
  }

  /// Sends a signed event of the type `phone.test`.
  func test(_ call: Call) async throws -> Answer {
    let webhook = try await webhook(call)
    let project = try call.requireProject().id
    let sender = CodeWebhookSender(transport: services.webhooks, clock: services.clock)
    var finding = Finding(
      "webhook", .ok, "it accepted the event, signed with the project's secret")
    do throws(CodeWebhookFault) {
      try await sender.send(.test(project: project), to: webhook)
    } catch {
      finding = Finding("webhook", .failed(remedy: Self.remedy(error)), error.description)
    }
    return Answer(FindingsResponse([finding]))
  }

  private func webhook(_ call: Call) async throws -> CodeWebhook {
    guard let found = try await stored(call) else { throw Self.notFound }
    return found
  }

  private func stored(_ call: Call) async throws -> CodeWebhook? {
    let project = try call.requireProject().id
    return try await services.accounts.store.read { try $0.codeWebhook(of: project) }
  }

  private static func remedy(_ fault: CodeWebhookFault) -> String {
    switch fault {
    case .refused(401), .refused(403):
      "Use the receiver's secret here: gatehouse phone-numbers set --webhook-secret-file FILE"
    case .refused: "The receiver must respond with 2xx to events whose type it doesn't know."
    case .notSent(let error): error.remedy(for: "the receiver")
    }
  }
}

struct CodeWebhookResource: WireRequest, WireResponse {
  var url: String?
  /// In a request, the secret that the receiver has already; in a response, one that was just created.
  var secret: Secret<String>?

  static let knownMembers = KnownMembers(["url", "secret"])

  init(_ fields: WireFields) throws(WireError) {
    url = try fields.string("url")
    secret = try fields.nonEmptyString("secret").map { Secret($0) }
  }

  init() {}

  init(_ webhook: CodeWebhook, showsSecret: Bool = false) {
    url = webhook.url
    if showsSecret { secret = webhook.secret.text }
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("url", ifPresent: url)
    writer.member("secret", ifPresent: secret?.reveal())
  }
}
