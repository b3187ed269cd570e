public import GatehouseJSON

/// `accounts:signInWithEmailLink`, and `emailLinkSignin` of v3.
public struct SignInWithEmailLinkRequest: WireRequest {
  public var email: String?
  public var code: String?
  /// The ID token of the account to which the email address is linked.
  public var idToken: String?
  /// The consent to linking.
  public var consent: ConsentMessage?
  public var tenantID: String?

  public init(_ fields: WireFields) throws(WireError) {
    email = try fields.nonEmptyString("email")
    code = try fields.nonEmptyString("oobCode")
    idToken = try fields.nonEmptyString("idToken")
    consent = try fields.message("consent").map { (message) throws(WireError) in
      try ConsentMessage(message)
    }
    tenantID = try fields.nonEmptyString("tenantId")
  }
}

public struct SignInWithEmailLinkResponse: WireResponse {
  public var localID: String
  public var email: String
  public var isNewUser: Bool
  public var tokens: SessionTokens

  public init(localID: String, email: String, isNewUser: Bool, tokens: SessionTokens) {
    self.localID = localID
    self.email = email
    self.isNewUser = isNewUser
    self.tokens = tokens
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("kind", "identitytoolkit#EmailLinkSigninResponse")
    writer.member("localId", localID)
    writer.member("email", email)
    writer.member("isNewUser", isNewUser)
    tokens.writeMembers(to: &writer)
  }
}
