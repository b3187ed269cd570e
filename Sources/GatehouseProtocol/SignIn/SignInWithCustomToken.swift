/// `accounts:signInWithCustomToken`, and `verifyCustomToken` of v3.
public struct SignInWithCustomTokenRequest: WireMessage {
  /// An empty text is an invalid token, not an absent one.
  public var token: String?
  public var tenantID: String?

  public init(token: String) { self.token = token }

  public init(_ fields: WireFields) throws(WireError) {
    token = try fields.string("token")
    tenantID = try fields.nonEmptyString("tenantId")
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("token", ifPresent: token)
    writer.member("tenantId", ifPresent: tenantID)
    writer.member("returnSecureToken", true)
  }
}

/// Contains no user id: the ID token does.
public struct SignInWithCustomTokenResponse: WireMessage {
  public var isNewUser: Bool
  public var tokens: SessionTokens

  public init(isNewUser: Bool, tokens: SessionTokens) {
    self.isNewUser = isNewUser
    self.tokens = tokens
  }

  public init(_ fields: WireFields) throws(WireError) {
    isNewUser = try fields.bool("isNewUser") ?? false
    tokens = try SessionTokens(fields)
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("kind", "identitytoolkit#VerifyCustomTokenResponse")
    writer.member("isNewUser", isNewUser)
    tokens.writeMembers(to: &writer)
  }
}
