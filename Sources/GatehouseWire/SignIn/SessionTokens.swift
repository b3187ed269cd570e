public import GatehouseJSON

/// The tokens that a sign-in returns to a client.
public struct SessionTokens: WireMessage {
  public var idToken: String
  public var refreshToken: String
  /// 0 where an answer doesn't say: the ID token does.
  public var expiresInSeconds: Int

  public init(idToken: String, refreshToken: String, expiresInSeconds: Int) {
    self.idToken = idToken
    self.refreshToken = refreshToken
    self.expiresInSeconds = expiresInSeconds
  }

  /// Reads the tokens of any answer that begins or continues a session, in either spelling.
  public init(_ fields: WireFields) throws(WireError) {
    idToken = try fields.requiredString("idToken")
    refreshToken = try fields.requiredString("refreshToken")
    expiresInSeconds = Int(clamping: try fields.int64("expiresIn") ?? 0)
  }

  /// Nil for an answer without a session.
  static func read(from answer: WireFields) throws(WireError) -> SessionTokens? {
    guard try answer.nonEmptyString("idToken") != nil else { return nil }
    return try SessionTokens(answer)
  }

  /// `expiresIn` is a string, because clients parse it as one.
  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("idToken", idToken)
    writer.member("refreshToken", refreshToken)
    writer.member("expiresIn", String(expiresInSeconds))
  }
}
