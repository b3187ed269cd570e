/// The tokens that a sign-in returns to a client.
public struct SessionTokens: WireMessage {
  public var idToken: String
  public var refreshToken: String
  /// 0 if the response doesn't contain it; the ID token contains the time as `exp`.
  public var expiresInSeconds: Int

  public init(idToken: String, refreshToken: String, expiresInSeconds: Int) {
    self.idToken = idToken
    self.refreshToken = refreshToken
    self.expiresInSeconds = expiresInSeconds
  }

  /// Reads the tokens from any response that begins or continues a session, with field names in
  /// camelCase or snake_case.
  public init(_ fields: WireFields) throws(WireError) {
    idToken = try fields.requiredString("idToken")
    refreshToken = try fields.requiredString("refreshToken")
    expiresInSeconds = Int(clamping: try fields.int64("expiresIn") ?? 0)
  }

  /// Nil for a response without an ID token.
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
