public import GatehouseJSON

/// What a sign-in gives a client to hold.
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

  /// Reads those of any answer that begins or goes on with a session, in either spelling.
  public init(_ fields: WireFields) throws(WireError) {
    idToken = try fields.requiredString("idToken")
    refreshToken = try fields.requiredString("refreshToken")
    expiresInSeconds = try Int(fields.int64("expiresIn") ?? 0)
  }

  /// `expiresIn` is a string: clients parse it as one.
  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("idToken", idToken)
    writer.member("refreshToken", refreshToken)
    writer.member("expiresIn", String(expiresInSeconds))
  }
}
