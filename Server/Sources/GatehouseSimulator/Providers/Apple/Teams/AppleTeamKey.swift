/// A public key that verifies an Apple team's client secrets.
struct AppleTeamKey: Sendable {
  let teamID: String
  let keyID: String
  /// An elliptic-curve key on P-256, as PEM (`-----BEGIN PUBLIC KEY-----`).
  let publicKeyPEM: String
}
