/// The response to ``SignInWithIdpRequest``: a sign-in, or the reason why the user isn't signed in,
/// such as a required confirmation or a conflict.
public struct SignInWithIdpResponse: WireMessage {
  /// Empty if the response names none.
  public var providerID: String
  public var federatedID: String?
  public var tokens: SessionTokens?
  public var localID: String?
  public var email: String?
  public var emailVerified: Bool?
  public var displayName: String?
  public var firstName: String?
  public var lastName: String?
  public var fullName: String?
  public var photoURL: String?
  public var screenName: String?
  /// The text of a JSON object.
  public var rawUserInfo: String?
  public var isNewUser = false
  public var oauthIDToken: String?
  public var oauthAccessToken: String?
  public var oauthTokenSecret: String?
  public var pendingToken: String?
  public var needConfirmation = false
  /// The providers with which the user can sign in to the existing account.
  public var verifiedProviders: [String] = []
  public var emailRecycled = false
  public var errorMessage: String?
  /// The account needs a second factor: there are no tokens.
  public var secondFactor: PendingSecondFactor?
  public var consentRequired: ConsentRequired?

  public init(providerID: String) { self.providerID = providerID }

  public init(_ fields: WireFields) throws(WireError) {
    providerID = try fields.string("providerId") ?? ""
    federatedID = try fields.nonEmptyString("federatedId")
    localID = try fields.nonEmptyString("localId")
    email = try fields.nonEmptyString("email")
    emailVerified = try fields.bool("emailVerified")
    displayName = try fields.nonEmptyString("displayName")
    firstName = try fields.nonEmptyString("firstName")
    lastName = try fields.nonEmptyString("lastName")
    fullName = try fields.nonEmptyString("fullName")
    photoURL = try fields.nonEmptyString("photoUrl")
    screenName = try fields.nonEmptyString("screenName")
    rawUserInfo = try fields.nonEmptyString("rawUserInfo")
    isNewUser = try fields.bool("isNewUser") ?? false
    oauthIDToken = try fields.nonEmptyString("oauthIdToken")
    oauthAccessToken = try fields.nonEmptyString("oauthAccessToken")
    oauthTokenSecret = try fields.nonEmptyString("oauthTokenSecret")
    pendingToken = try fields.nonEmptyString("pendingToken")
    needConfirmation = try fields.bool("needConfirmation") ?? false
    verifiedProviders = try fields.strings("verifiedProvider")
    emailRecycled = try fields.bool("emailRecycled") ?? false
    errorMessage = try fields.nonEmptyString("errorMessage")
    secondFactor = try PendingSecondFactor.read(from: fields)
    consentRequired = try ConsentRequired.read(from: fields)
    tokens = try SessionTokens.read(from: fields)
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("kind", "identitytoolkit#VerifyAssertionResponse")
    writer.member("providerId", providerID)
    writer.member("federatedId", ifPresent: federatedID)
    writer.member("localId", ifPresent: localID)
    writer.member("email", ifPresent: email)
    writer.member("emailVerified", ifPresent: emailVerified)
    writer.member("displayName", ifPresent: displayName)
    writer.member("firstName", ifPresent: firstName)
    writer.member("lastName", ifPresent: lastName)
    writer.member("fullName", ifPresent: fullName)
    writer.member("photoUrl", ifPresent: photoURL)
    writer.member("screenName", ifPresent: screenName)
    writer.member("rawUserInfo", ifPresent: rawUserInfo)
    if isNewUser { writer.member("isNewUser", true) }
    writer.member("oauthIdToken", ifPresent: oauthIDToken)
    writer.member("oauthAccessToken", ifPresent: oauthAccessToken)
    writer.member("oauthTokenSecret", ifPresent: oauthTokenSecret)
    writer.member("pendingToken", ifPresent: pendingToken)
    if needConfirmation { writer.member("needConfirmation", true) }
    if !verifiedProviders.isEmpty { writer.member("verifiedProvider", verifiedProviders) }
    if emailRecycled { writer.member("emailRecycled", true) }
    writer.member("errorMessage", ifPresent: errorMessage)
    secondFactor?.writeMembers(to: &writer)
    consentRequired?.write(to: &writer)
    tokens?.writeMembers(to: &writer)
  }
}
