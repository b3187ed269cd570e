/// `accounts:signUp`, and `projects/{p}/accounts` for an administrator.
///
/// Without fields it creates an anonymous account; with `email` and `password`, an account with a
/// password; with `idToken` as well, it adds the password to the token's account.
public struct SignUpRequest: WireMessage {
  public var idToken: String?
  public var email: String?
  public var password: String?
  public var displayName: String?
  public var photoURL: String?
  public var localID: String?
  public var phoneNumber: String?
  public var emailVerified: Bool?
  public var disabled: Bool?
  /// The second factors of the new account, for an administrator.
  public var secondFactors: [MFAEnrollment] = []
  /// The consent to what is joined when `idToken` is given.
  public var consent: ConsentMessage?
  public var tenantID: String?

  /// Whether ``secondFactors`` has any.
  public var hasSecondFactor: Bool { !secondFactors.isEmpty }

  /// An anonymous account.
  public init() {}

  public init(_ fields: WireFields) throws(WireError) {
    idToken = try fields.nonEmptyString("idToken")
    email = try fields.string("email")
    password = try fields.string("password")
    displayName = try fields.nonEmptyString("displayName")
    photoURL = try fields.nonEmptyString("photoUrl")
    localID = try fields.nonEmptyString("localId")
    phoneNumber = try fields.nonEmptyString("phoneNumber")
    emailVerified = try fields.bool("emailVerified")
    disabled = try fields.bool("disabled")
    secondFactors = try MFAEnrollment.read("mfaInfo", from: fields)
    consent = try ConsentMessage.read(from: fields)
    tenantID = try fields.nonEmptyString("tenantId")
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("idToken", ifPresent: idToken)
    writer.member("email", ifPresent: email)
    writer.member("password", ifPresent: password)
    writer.member("displayName", ifPresent: displayName)
    writer.member("photoUrl", ifPresent: photoURL)
    writer.member("localId", ifPresent: localID)
    writer.member("phoneNumber", ifPresent: phoneNumber)
    writer.member("emailVerified", ifPresent: emailVerified)
    writer.member("disabled", ifPresent: disabled)
    if !secondFactors.isEmpty { MFAEnrollment.write(secondFactors, as: "mfaInfo", to: &writer) }
    writer.member("returnSecureToken", true)
    consent?.write(to: &writer)
    writer.member("tenantId", ifPresent: tenantID)
  }
}

/// Our SDK reads only its ``FirstFactorOutcome``.
public struct SignUpResponse: WireResponse {
  public var localID: String
  public var email: String?
  public var displayName: String?
  /// Absent from the response to an administrator, and if the account needs a second factor.
  public var tokens: SessionTokens?
  public var secondFactor: PendingSecondFactor?

  public init(localID: String) { self.localID = localID }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("kind", "identitytoolkit#SignupNewUserResponse")
    writer.member("localId", localID)
    writer.member("email", ifPresent: email)
    writer.member("displayName", ifPresent: displayName)
    tokens?.writeMembers(to: &writer)
    secondFactor?.writeMembers(to: &writer)
  }
}
