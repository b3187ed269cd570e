import Foundation
import GatehouseProtocol
import HTTPTypes
import Testing

/// A sign-in requested by a web page, with the requests of Google's SDK for JavaScript.
enum PageFlow {
  static let address = "http://localhost:5173/account?tab=1#/sign-in"
  static let origin = "http://localhost:5173"
  static let popups = ["signInViaPopup", "linkViaPopup", "reauthViaPopup"]
  static let redirects = ["signInViaRedirect", "linkViaRedirect", "reauthViaRedirect"]

  /// The query; a change to nil omits the parameter.
  static func query(
    _ mode: String, _ provider: String = "oidc.trusted",
    _ changes: KeyValuePairs<String, String?> = [:]
  ) -> String {
    let fields = [
      ("apiKey", "any-key"), ("appName", "[DEFAULT]"), ("authType", mode),
      ("redirectUrl", address), ("v", "12.18.0"), ("eventId", "4087654321"),
      ("providerId", provider),
    ]
    return BrowserFlow.query(fields, changes)
  }

  static func start(
    _ server: TestServer, _ mode: String, _ provider: String = "oidc.trusted",
    _ changes: KeyValuePairs<String, String?> = [:]
  ) async throws -> TestReply {
    try await BrowserFlow.get(server, query(mode, provider, changes))
  }

  /// Begins the sign-in, goes to the provider's page, and returns with a code for `claims`.
  static func arrive(
    _ server: TestServer, _ mode: String, _ claims: KeyValuePairs<String, JSONValue> = [:],
    _ changes: KeyValuePairs<String, String?> = [:], provider: String = "oidc.trusted"
  ) async throws -> (flow: BrowserFlow, reply: TestReply) {
    let flow = try await BrowserFlow(server, query: query(mode, provider, changes))
    let code = "code-\(flow.state.suffix(12))"
    server.providers.issue(code: code, idToken: try flow.token(provider, claims))
    return (flow, try await flow.arrive("state=\(flow.state)&code=\(code)"))
  }

  /// signInWithIdp with an event, as the SDK sends it.
  static func redeem(
    _ server: TestServer, _ event: JSONValue?, _ fields: KeyValuePairs<String, JSONValue> = [:]
  ) async throws -> TestReply {
    var body: JSONObject = [
      "requestUri": event?["urlResponse"] ?? .null, "sessionId": event?["sessionId"] ?? .null,
      "returnSecureToken": true, "returnIdpCredential": true,
    ]
    for (name, value) in fields { body[name] = value }
    return try await server.call(.accounts("signInWithIdp", .object(body)))
  }
}

extension TestReply {
  /// The data that a page gives to its script.
  var delivery: JSONValue? {
    text.firstMatch(of: /<script type="application\/json" id="data">(.*)<\/script>/)
      .flatMap { try? JSONValue(parsing: String($0.1)) }
  }

  var event: JSONValue? { delivery?["event"] }

  /// The start tags of the page's `script` elements, including that of its data.
  var scripts: [String] {
    text.matches(of: /<script[^>]*>/).map { String($0.0) }
  }
}
