public import GatehouseJSON

/// `accounts:signInWithCustomToken`, and `verifyCustomToken` of v3.
public struct SignInWithCustomTokenRequest: WireRequest {
  public var token: String?
  public var tenantID: String?

  public init(_ fields: WireFields) throws(WireError) {
    token = try fields.nonEmptyString("token")
    tenantID = try fields.nonEmptyString("tenantId")
  }
}

/// Contains no user id: the ID token does.
public struct SignInWithCustomTokenResponse: WireResponse {
  public var isNewUser: Bool
  public var tokens: SessionTokens

  public init(isNewUser: Bool, tokens: SessionTokens) {
    self.isNewUser = isNewUser
    self.tokens = tokens
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("kind", "identitytoolkit#VerifyCustomTokenResponse")
    writer.member("isNewUser", isNewUser)
    tokens.writeMembers(to: &writer)
  }
}
