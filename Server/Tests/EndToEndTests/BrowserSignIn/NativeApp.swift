import Foundation

/// An app that signs in through the server's handler, as Google's SDK for Apple platforms does.
struct NativeApp: Sendable {
  let server: GatehouseServer
  let sessionID = Unique.nonce()
  let eventID = Unique.name("event")
  var query: [(String, String)] = [("ibi", "com.example.app")]
  var handler = "/__/auth/handler"

  /// The URL to open.
  ///
  /// - Parameter parameters: Parameters for the provider; `person` selects who signs in at the
  ///   simulator.
  func url(_ provider: String, parameters: KeyValuePairs<String, String>) -> String {
    let json = "{" + parameters.map { "\"\($0)\":\"\($1)\"" }.joined(separator: ",") + "}"
    return url(provider, parametersJSON: json)
  }

  func url(_ provider: String, parametersJSON json: String) -> String {
    let fields =
      [
        ("apiKey", "any-key"), ("authType", "signInWithRedirect"),
        ("sessionId", Nonce.hash(sessionID)), ("v", "12.0.0"), ("eventId", eventID),
        ("providerId", provider), ("customParameters", json),
      ] + query
    return server.baseURL + handler + "?"
      + fields.map { "\($0)=\(Form.escape($1))" }.joined(separator: "&")
  }

  func open(
    _ provider: String, in browser: Browser = Browser(),
    parameters: KeyValuePairs<String, String>
  ) async throws -> Browser.End {
    try await browser.open(
      url(provider, parameters: parameters), within: [server.baseURL, server.simulatorURL])
  }

  /// signInWithIdp with the link that the app got.
  func redeem(
    _ link: String?, _ provider: String, sessionID: String? = nil, more: [String: JSON] = [:]
  ) async throws -> Reply {
    var body: [String: JSON] = [
      "requestUri": .string(link ?? ""), "sessionId": .string(sessionID ?? self.sessionID),
      "postBody": .string("providerId=\(provider)"), "returnSecureToken": true,
    ]
    body.merge(more) { $1 }
    return try await server.app.call("signInWithIdp", .object(body))
  }
}
