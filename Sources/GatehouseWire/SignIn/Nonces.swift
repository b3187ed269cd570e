public import GatehouseJSON

/// `POST v1/nonces`, an extension: a nonce for the next sign-in with a provider.
public struct NonceRequest: WireRequest {
  /// The ID token of the session for which the nonce is. Without one, the nonce is for the client
  /// that sends the answer's session id.
  public var idToken: String?

  public init(_ fields: WireFields) throws(WireError) {
    idToken = try fields.nonEmptyString("idToken")
  }
}

public struct NonceResponse: WireResponse {
  /// The raw nonce; its SHA-256 in hex is for the provider.
  public var nonce: String
  /// Send it with the nonce as `sessionId`.
  public var sessionID: String?
  public var expiresInSeconds: Int

  public init(nonce: String, sessionID: String?, expiresInSeconds: Int) {
    self.nonce = nonce
    self.sessionID = sessionID
    self.expiresInSeconds = expiresInSeconds
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("nonce", nonce)
    writer.member("sessionId", ifPresent: sessionID)
    writer.member("expiresIn", String(expiresInSeconds))
  }
}
