/// A public key that an Apple team signs its client secrets with.
struct AppleTeamKey: Sendable {
  let teamID: String
  let keyID: String
  /// An elliptic-curve key on P-256, as PEM (`-----BEGIN PUBLIC KEY-----`).
  let publicKeyPEM: String
}
