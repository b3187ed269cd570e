/// A nonce that the server made: good for one sign-in, within ten minutes, by who asked for it.
public struct ServerNonce: Sendable, Hashable {
  /// Its SHA-256 is for the provider, as any nonce's.
  public let nonce: Nonce
  /// To be sent with the credential as ``IdentityProviderCredential/nonceSessionID``. Nil where the
  /// nonce is for the session of the person who is signed in.
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
