/// A client that is told about, so that its secret, team or redirect URIs are checked.
struct RegisteredClient: Sendable {
  /// The team of Apple apps that nobody mentioned. All are of one team, so a person has one `sub` for
  /// an app and its website.
  static let defaultTeamID = "SIMULATED0"

  let provider: Provider
  let clientID: String
  /// What Google, Facebook and OpenID Connect clients must present; nil takes anything.
  var clientSecret: String?
  /// The only way to authenticate at the token endpoint; nil takes any.
  var authenticationMethod: AuthenticationMethod?
  /// What the client signs its assertions with (`private_key_jwt`).
  var keys: [ClientKey] = []
  /// Apple only.
  var teamID: String?
  /// Apple only: the app that this one, or a Services ID, is grouped with.
  var primaryApp: String?
  /// Apple only: where the app's server takes notifications.
  var notificationURL: String?
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

/// A public key that an Apple team signs its client secrets with.
struct AppleTeamKey: Sendable {
  let teamID: String
  let keyID: String
  /// An elliptic-curve key on P-256, as PEM (`-----BEGIN PUBLIC KEY-----`).
  let publicKeyPEM: String
}
