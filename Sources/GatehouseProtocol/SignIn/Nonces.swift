/// `POST v1/nonces`, an extension: a nonce for the next sign-in with a provider.
public struct NonceRequest: WireMessage {
  /// The ID token of the session for which the nonce is. Without one, the nonce is for the client
  /// that received ``NonceResponse/sessionID``.
  public var idToken: String?

  public init(idToken: String?) { self.idToken = idToken }

  public init(_ fields: WireFields) throws(WireError) {
    idToken = try fields.nonEmptyString("idToken")
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("idToken", ifPresent: idToken)
  }
}

public struct NonceResponse: WireMessage {
  /// The raw nonce; its SHA-256 in hex is for the provider.
  public var nonce: String
  /// The client sends it as `sessionId` together with the nonce. Nil for the nonce of a session.
  public var sessionID: String?
  public var expiresInSeconds: Int

  public init(nonce: String, sessionID: String?, expiresInSeconds: Int) {
    self.nonce = nonce
    self.sessionID = sessionID
    self.expiresInSeconds = expiresInSeconds
  }

  public init(_ fields: WireFields) throws(WireError) {
    nonce = try fields.requiredString("nonce")
    sessionID = try fields.nonEmptyString("sessionId")
    expiresInSeconds = Int(clamping: try fields.int64("expiresIn") ?? 0)
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("nonce", nonce)
    writer.member("sessionId", ifPresent: sessionID)
    writer.member("expiresIn", String(expiresInSeconds))
  }
}
