/// A nonce that the server created. It is valid for one sign-in, within ten minutes, by the client
/// that asked for it.
public struct ServerNonce: Sendable, Hashable {
  /// Send its SHA-256 to the provider, as with any nonce.
  public let nonce: Nonce
  /// Send it with the credential as ``IdentityProviderCredential/nonceSessionID``. Nil if the nonce
  /// belongs to the session of the signed-in user.
  public let sessionID: String?

  init(nonce: Nonce, sessionID: String?) {
    self.nonce = nonce
    self.sessionID = sessionID
  }
}

/// Secrets stay out of logs.
extension ServerNonce: CustomStringConvertible, CustomReflectable {
  public var description: String { "ServerNonce" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
