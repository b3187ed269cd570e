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
  /// Nil if the account needs a second factor.
  public var tokens: SessionTokens?
  public var secondFactor: PendingSecondFactor?

  public init(isNewUser: Bool, tokens: SessionTokens? = nil) {
    self.isNewUser = isNewUser
    self.tokens = tokens
  }

  /// The response must contain the tokens, or a pending credential.
  public init(_ fields: WireFields) throws(WireError) {
    isNewUser = try fields.bool("isNewUser") ?? false
    secondFactor = try PendingSecondFactor.read(from: fields)
    tokens = secondFactor == nil ? try SessionTokens(fields) : nil
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("kind", "identitytoolkit#VerifyCustomTokenResponse")
    writer.member("isNewUser", isNewUser)
    tokens?.writeMembers(to: &writer)
    secondFactor?.writeMembers(to: &writer)
  }
}
