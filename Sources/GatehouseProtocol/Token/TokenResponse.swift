/// Secure Token's response. In snake_case, with the ID token repeated as `access_token`.
public struct TokenResponse: WireResponse {
  public var idToken: String
  public var refreshToken: String
  public var expiresInSeconds: Int
  public var userID: String
  /// The project's number, as digits.
  public var projectNumber: String

  public init(
    idToken: String, refreshToken: String, expiresInSeconds: Int, userID: String,
    projectNumber: String
  ) {
    self.idToken = idToken
    self.refreshToken = refreshToken
    self.expiresInSeconds = expiresInSeconds
    self.userID = userID
    self.projectNumber = projectNumber
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("access_token", idToken)
    writer.member("expires_in", String(expiresInSeconds))
    writer.member("token_type", "Bearer")
    writer.member("refresh_token", refreshToken)
    writer.member("id_token", idToken)
    writer.member("user_id", userID)
    writer.member("project_id", projectNumber)
  }
}
