import HTTPTypes

/// A client that is told about, so that its secret, team or redirect URIs are checked.
struct RegisteredClient: Sendable {
  let provider: Provider
  let clientID: String
  /// What the client must present; nil takes anything.
  var clientSecret: String?
  /// The only way to authenticate at the token endpoint; nil takes any.
  var authenticationMethod: AuthenticationMethod?
  /// What the client signs its assertions with (`private_key_jwt`).
  var keys: [ClientKey] = []
  /// What only this kind of provider has of a client: see ``TestControlRules/clientMembers``.
  var details: [String: JSONValue] = [:]
  /// The only ones taken at the authorization endpoint; empty takes any.
  var redirectURIs: [String] = []
}

extension RegisteredClient {
  /// The way in which the client has to authenticate, if there is but one: who registers keys and no
  /// secret means them.
  var onlyMethod: AuthenticationMethod? {
    authenticationMethod ?? (clientSecret == nil && !keys.isEmpty ? .privateKeyJWT : nil)
  }
}

/// How a client proves who it is (OpenID Connect Core §9, RFC 7591 §2).
enum AuthenticationMethod: String, Sendable, Codable {
  case secretInHeader = "client_secret_basic"
  case secretInBody = "client_secret_post"
  case privateKeyJWT = "private_key_jwt"
  case none
}

extension RegisteredClient {
  /// - Parameter code: The provider's name for the mistake.
  /// - Throws: It, for a URI that isn't one of the client's.
  func checkRedirectURI(_ uri: String, code: String = "invalid_request") throws(SimulatorError) {
    guard redirectURIs.isEmpty || redirectURIs.contains(where: { $0.isSame(as: uri) }) else {
      throw SimulatorError(
        .badRequest, code, "Invalid redirect_uri: it is not one of the client's.")
    }
  }
}
