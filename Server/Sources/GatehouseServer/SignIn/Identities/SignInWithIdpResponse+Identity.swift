import GatehouseProtocol

extension SignInWithIdpResponse {
  /// What the provider reported. Every response about an identity contains it, even if the account
  /// has another name or email address.
  init(_ identity: ExternalIdentity) {
    self.init(providerID: identity.provider.text)
    federatedID = Self.federatedID(identity)
    email = identity.email?.address.text
    emailVerified = identity.email?.isVerifiedAndTrusted ?? false
    displayName = identity.profile.displayName
    fullName = identity.profile.displayName
    firstName = identity.profile.firstName
    lastName = identity.profile.lastName
    photoURL = identity.profile.photoURL
    screenName = identity.profile.screenName
    rawUserInfo = identity.rawUserInfo
    oauthIDToken = identity.tokens.idToken?.reveal()
    oauthAccessToken = identity.tokens.accessToken?.reveal()
  }

  mutating func add(_ signedIn: SignedIn, pendingToken: String) {
    localID = signedIn.account.uid.text
    if let own = signedIn.account.email, own.text == email {
      emailVerified = signedIn.account.isEmailVerified
    }
    isNewUser = signedIn.isNewUser
    addWhatIsKept(of: signedIn.account)
    tokens = SessionTokens(signedIn.tokens)
    self.pendingToken = pendingToken
  }

  /// Apple sends some claims only once, and apps read `rawUserInfo` as the user's profile. So
  /// claims that were stored earlier are added under Apple's names.
  private mutating func addWhatIsKept(of account: Account) {
    guard let identity = ProviderID(providerID).flatMap({ account.identity(of: $0) }),
      identity.realUserStatus != nil || identity.realUserStatusFromApp != nil
        || identity.isPrivateEmail != nil,
      let text = rawUserInfo, var profile = try? JSONObject(parsing: text)
    else { return }
    if let status = identity.realUserStatus {
      profile["real_user_status"] = .number(JSONNumber(Int64(status.rawValue)))
    }
    if let status = identity.realUserStatusFromApp {
      profile["real_user_status_from_app"] = .number(JSONNumber(Int64(status.rawValue)))
    }
    if let isPrivate = identity.isPrivateEmail, profile["is_private_email"] == nil {
      profile["is_private_email"] = .bool(isPrivate)
    }
    rawUserInfo = JSONValue.object(profile).text()
  }

  mutating func add(_ confirmation: IdentitySignIn.Confirmation) {
    localID = confirmation.account?.uid.text
    needConfirmation = true
    verifiedProviders = confirmation.verifiedProviders.map(\.text)
    emailRecycled = confirmation.isRecycled
    pendingToken = confirmation.pendingToken
  }

  mutating func add(conflict: AccountsError, pendingToken: String) {
    errorMessage = ErrorMapping.message(conflict).text
    self.pendingToken = pendingToken
  }

  mutating func add(consentRequired parts: [AccountPart], pendingToken: String) {
    errorMessage = ErrorMapping.message(AccountsError.consentRequired(parts)).text
    consentRequired = ConsentRequired(parts)
    self.pendingToken = pendingToken
  }

  /// `https://accounts.google.com/<sub>` for Google, and Firebase's form for each built-in
  /// provider; `<provider>/<sub>` for OpenID Connect.
  private static func federatedID(_ identity: ExternalIdentity) -> String {
    let kind = IdentityProviders.kind(of: identity.provider)
    let prefix = kind?.id == nil ? "\(identity.provider.text)/" : kind?.federatedIDPrefix
    return (prefix ?? "") + identity.subject.text
  }
}
