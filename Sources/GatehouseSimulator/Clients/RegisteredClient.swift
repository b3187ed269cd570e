/// A client that is told about, so that its secret, team or redirect URIs are checked.
struct RegisteredClient: Sendable {
  /// The team of Apple apps that nobody mentioned. All are of one team, so a person has one `sub` for
  /// an app and its website.
  static let defaultTeamID = "SIMULATED0"

  let provider: Provider
  let clientID: String
  /// What Google, Facebook and OpenID Connect clients must present; nil takes anything.
  var clientSecret: String?
  /// Apple only.
  var teamID: String?
  /// Apple only: the app that this one, or a Services ID, is grouped with.
  var primaryApp: String?
  /// Apple only: where the app's server takes notifications.
  var notificationURL: String?
  /// The only ones taken at the authorization endpoint; empty takes any.
  var redirectURIs: [String] = []
}

/// A public key that an Apple team signs its client secrets with.
struct AppleTeamKey: Sendable {
  let teamID: String
  let keyID: String
  /// An elliptic-curve key on P-256, as PEM (`-----BEGIN PUBLIC KEY-----`).
  let publicKeyPEM: String
}
