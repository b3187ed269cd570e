import GatehouseProtocol

/// An access token (RFC 6749 §5.1). Unlike in Secure Token's responses, `expires_in` is a number.
struct AccessTokenResponse: WireResponse {
  var accessToken: String
  var expiresInSeconds: Int

  init(accessToken: String, expiresInSeconds: Int) {
    self.accessToken = accessToken
    self.expiresInSeconds = expiresInSeconds
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("access_token", accessToken)
    writer.member("token_type", "Bearer")
    writer.member("expires_in", expiresInSeconds)
  }
}
