import HTTPTypes

/// A client that a test has registered, so that its secret, team or redirect URIs are checked.
struct RegisteredClient: Sendable {
  let provider: Provider
  let clientID: String
  /// The secret that the client must present; nil accepts any.
  var clientSecret: String?
  /// The only method to authenticate at the token endpoint; nil accepts any.
  var authenticationMethod: AuthenticationMethod?
  /// The keys that verify the client's assertions (`private_key_jwt`).
  var keys: [ClientKey] = []
  /// Members that only this kind of provider has: see ``TestControlRules/clientMembers``.
  var details: [String: JSONValue] = [:]
  /// The redirect URIs that the authorization endpoint accepts; empty accepts any.
  var redirectURIs: [String] = []
}

extension RegisteredClient {
  /// The method with which the client must authenticate, if there is only one: a client that
  /// registers keys and no secret must use them.
  var onlyMethod: AuthenticationMethod? {
    authenticationMethod ?? (clientSecret == nil && !keys.isEmpty ? .privateKeyJWT : nil)
  }
}

/// A method of client authentication (OpenID Connect Core §9, RFC 7591 §2).
enum AuthenticationMethod: String, Sendable, Codable {
  case secretInHeader = "client_secret_basic"
  case secretInBody = "client_secret_post"
  case privateKeyJWT = "private_key_jwt"
  case none
}

extension RegisteredClient {
  /// - Parameter code: The provider's error code for a wrong URI.
  /// - Throws: An error with `code` if the URI isn't registered for the client.
  func checkRedirectURI(_ uri: String, code: String = "invalid_request") throws(SimulatorError) {
    guard redirectURIs.isEmpty || redirectURIs.contains(where: { $0.isSame(as: uri) }) else {
      throw SimulatorError(
        .badRequest, code, "Invalid redirect_uri: it is not registered for the client.")
    }
  }
}
