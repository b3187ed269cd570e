/// `accounts:signInWithEmailLink`, and `emailLinkSignin` of v3.
public struct SignInWithEmailLinkRequest: WireMessage {
  public var email: String?
  public var code: String?
  /// The ID token of the account to which the request links the email address.
  public var idToken: String?
  /// The consent to linking.
  public var consent: ConsentMessage?
  public var tenantID: String?

  public init(email: String, code: String) {
    self.email = email
    self.code = code
  }

  public init(_ fields: WireFields) throws(WireError) {
    email = try fields.nonEmptyString("email")
    code = try fields.nonEmptyString("oobCode")
    idToken = try fields.nonEmptyString("idToken")
    consent = try ConsentMessage.read(from: fields)
    tenantID = try fields.nonEmptyString("tenantId")
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("email", ifPresent: email)
    writer.member("oobCode", ifPresent: code)
    writer.member("idToken", ifPresent: idToken)
    writer.member("returnSecureToken", true)
    consent?.write(to: &writer)
    writer.member("tenantId", ifPresent: tenantID)
  }
}

public struct SignInWithEmailLinkResponse: WireMessage {
  public var localID: String
  public var email: String
  public var isNewUser: Bool
  /// Nil if the account needs a second factor.
  public var tokens: SessionTokens?
  public var secondFactor: PendingSecondFactor?

  public init(localID: String, email: String, isNewUser: Bool, tokens: SessionTokens? = nil) {
    self.localID = localID
    self.email = email
    self.isNewUser = isNewUser
    self.tokens = tokens
  }

  /// The response must contain the tokens, or a pending credential. An absent id or address is read
  /// as an empty text. The ID token contains both.
  public init(_ fields: WireFields) throws(WireError) {
    localID = try fields.string("localId") ?? ""
    email = try fields.string("email") ?? ""
    isNewUser = try fields.bool("isNewUser") ?? false
    secondFactor = try PendingSecondFactor.read(from: fields)
    tokens = secondFactor == nil ? try SessionTokens(fields) : nil
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("kind", "identitytoolkit#EmailLinkSigninResponse")
    writer.member("localId", localID)
    writer.member("email", email)
    writer.member("isNewUser", isNewUser)
    tokens?.writeMembers(to: &writer)
    secondFactor?.writeMembers(to: &writer)
  }
}
