import GatehouseJSON

/// The tokens that a sign-in returns to a client.
public struct SessionTokens: Sendable {
  public var idToken: String
  public var refreshToken: String
  public var expiresInSeconds: Int

  public init(idToken: String, refreshToken: String, expiresInSeconds: Int) {
    self.idToken = idToken
    self.refreshToken = refreshToken
    self.expiresInSeconds = expiresInSeconds
  }

  /// `expiresIn` is a string, because clients parse it as one.
  func writeMembers(to writer: inout JSONWriter) {
    writer.member("idToken", idToken)
    writer.member("refreshToken", refreshToken)
    writer.member("expiresIn", String(expiresInSeconds))
  }
}
