public import GatehouseJSON

/// `accounts:signInWithPassword`, and `verifyPassword` of v3.
public struct SignInWithPasswordRequest: WireMessage {
  public var email: String?
  public var password: String?
  public var tenantID: String?

  public init(email: String, password: String) {
    self.email = email
    self.password = password
  }

  public init(_ fields: WireFields) throws(WireError) {
    email = try fields.string("email")
    password = try fields.nonEmptyString("password")
    tenantID = try fields.nonEmptyString("tenantId")
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("email", ifPresent: email)
    writer.member("password", ifPresent: password)
    writer.member("tenantId", ifPresent: tenantID)
    writer.member("returnSecureToken", true)
  }
}

/// Our SDK reads only its ``SessionTokens``.
public struct SignInWithPasswordResponse: WireResponse {
  public var localID: String
  public var email: String
  public var displayName: String?
  public var photoURL: String?
  public var tokens: SessionTokens

  public init(localID: String, email: String, tokens: SessionTokens) {
    self.localID = localID
    self.email = email
    self.tokens = tokens
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("kind", "identitytoolkit#VerifyPasswordResponse")
    writer.member("registered", true)
    writer.member("localId", localID)
    writer.member("email", email)
    writer.member("displayName", displayName ?? "")
    writer.member("profilePicture", ifPresent: photoURL)
    tokens.writeMembers(to: &writer)
  }
}
