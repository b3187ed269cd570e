import GatehouseAccounts
import GatehouseModel
import GatehouseWire

extension SignInWithIdpResponse {
  /// What the provider says, in every answer that tells of an identity: also where the account
  /// keeps another name or address.
  init(_ identity: ExternalIdentity) {
    self.init(providerID: identity.provider.text)
    federatedID = Self.federatedID(identity)
    email = identity.email?.address.text
    emailVerified = identity.email?.isProven
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
    tokens = SessionTokens(signedIn.tokens)
    self.pendingToken = pendingToken
  }

  mutating func add(_ confirmation: IdentitySignIn.Confirmation) {
    localID = confirmation.account.uid.text
    needConfirmation = true
    verifiedProviders = confirmation.verifiedProviders.map(\.text)
    emailRecycled = confirmation.isRecycled
    pendingToken = confirmation.pendingToken
  }

  mutating func add(conflict: AccountsError, pendingToken: String) {
    errorMessage = ErrorMapping.message(conflict)
    self.pendingToken = pendingToken
  }

  /// `https://accounts.google.com/<sub>` for Google, `<provider>/<sub>` for OpenID Connect.
  private static func federatedID(_ identity: ExternalIdentity) -> String {
    if identity.provider == .google {
      return "https://accounts.google.com/\(identity.subject.text)"
    }
    return identity.provider.isOpenIDConnect
      ? "\(identity.provider.text)/\(identity.subject.text)" : identity.subject.text
  }
}
