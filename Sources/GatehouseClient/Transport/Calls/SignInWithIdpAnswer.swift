import GatehouseJSON
import GatehouseWire

/// The server's answer to a provider's credential.
struct SignInWithIdpAnswer: Sendable {
  var outcome: Outcome
  var provider: Provider
  var isNewUser: Bool
  var email: String?
  var displayName: String?
  var photoURL: String?
  /// What the provider said about the user.
  var profile: JSONObject?
  var username: String?
  /// The provider's tokens, and the pending token that stands for them.
  var credential: IdentityProviderCredential?

  enum Outcome: Sendable {
    case signedIn(uid: String, HeldTokens)
    /// No account has the identity yet, and none was created.
    case isNew
    case needsConfirmation(providers: [Provider])
    case consentRequired(joins: [String])
    /// The identity can't be linked: `EMAIL_EXISTS`, …
    case conflict(ServerRefusal)
  }

  init(_ fields: WireFields, sent: IdentityProviderCredential) throws(WireError) {
    provider = try fields.nonEmptyString("providerId").map { Provider($0) } ?? sent.provider
    isNewUser = try fields.bool("isNewUser") ?? false
    email = try fields.nonEmptyString("email")
    displayName = try fields.nonEmptyString("displayName")
    photoURL = try fields.nonEmptyString("photoUrl")
    profile = try fields.nonEmptyString("rawUserInfo").flatMap {
      try? JSONObject(parsing: [UInt8]($0.utf8))
    }
    username = try fields.nonEmptyString("screenName")
    credential = try Self.credential(fields, of: provider, sent: sent)
    outcome = try Self.outcome(fields)
  }

  private static func outcome(_ fields: WireFields) throws(WireError) -> Outcome {
    if let consent = try fields.message("consentRequired") {
      return .consentRequired(joins: try consent.strings("joins"))
    }
    if let message = try fields.nonEmptyString("errorMessage") {
      return .conflict(ServerRefusal(status: 200, message: message))
    }
    if try fields.bool("needConfirmation") == true {
      return .needsConfirmation(
        providers: try fields.strings("verifiedProvider").map { Provider($0) })
    }
    if let tokens = try fields.tokens() {
      let uid = try fields.nonEmptyString("localId") ?? tokens.idToken.subject
      return .signedIn(uid: uid, tokens)
    }
    if try fields.nonEmptyString("mfaPendingCredential") != nil {
      return .conflict(ServerRefusal(status: 200, message: "SECOND_FACTOR_REQUIRED"))
    }
    guard try fields.bool("isNewUser") == true, try fields.nonEmptyString("pendingToken") != nil
    else { throw WireError(field: "idToken", wanted: .string) }
    return .isNew
  }

  private static func credential(
    _ fields: WireFields, of provider: Provider, sent: IdentityProviderCredential
  ) throws(WireError) -> IdentityProviderCredential? {
    var credential = IdentityProviderCredential(provider: provider)
    credential.idToken = try fields.nonEmptyString("oauthIdToken")
    credential.accessToken = try fields.nonEmptyString("oauthAccessToken")
    credential.secret = try fields.nonEmptyString("oauthTokenSecret")
    credential.pendingToken = try fields.nonEmptyString("pendingToken")
    guard
      credential.idToken != nil || credential.accessToken != nil || credential.secret != nil
        || credential.pendingToken != nil
    else { return nil }
    // Keeps what the provider told only once together with the stand-in for the credential.
    credential.rawNonce = sent.rawNonce
    credential.fullName = sent.fullName
    credential.email = sent.email
    return credential
  }
}
