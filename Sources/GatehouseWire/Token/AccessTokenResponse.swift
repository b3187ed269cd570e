public import GatehouseJSON

/// An access token (RFC 6749 §5.1). Unlike Secure Token's answers, `expires_in` is a number.
public struct AccessTokenResponse: WireResponse {
  public var accessToken: String
  public var expiresInSeconds: Int

  public init(accessToken: String, expiresInSeconds: Int) {
    self.accessToken = accessToken
    self.expiresInSeconds = expiresInSeconds
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("access_token", accessToken)
    writer.member("token_type", "Bearer")
    writer.member("expires_in", expiresInSeconds)
  }
}
