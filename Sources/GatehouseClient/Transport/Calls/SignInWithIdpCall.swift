import GatehouseProtocol

/// `accounts:signInWithIdp`: signs in, links or re-authenticates with a provider's credential.
struct SignInWithIdpCall: ServerCall {
  enum Purpose: Sendable {
    case signIn
    /// Signs in, but creates no account for a new identity.
    case signInAsking
    case link(idToken: String)
    case reauthenticate
  }

  var credential: IdentityProviderCredential
  var purpose: Purpose
  var consent: Consent?

  var path: String { "v1/accounts:signInWithIdp" }

  /// A token with a nonce, the result of a sign-in in a browser, and an authorization code can be
  /// used once, so the server would reject a repetition. A pending token can be sent again.
  var isRepeatable: Bool {
    credential.pendingToken != nil
      || (credential.rawNonce == nil && credential.redirect == nil
        && credential.authorizationCode == nil)
  }

  var request: SignInWithIdpRequest {
    var request = SignInWithIdpRequest(
      requestURI: credential.redirect?.requestURI ?? "http://localhost", postBody: postBody.form)
    request.pendingToken = credential.pendingToken
    if credential.pendingToken == nil {
      request.sessionID = credential.redirect?.sessionID ?? credential.nonceSessionID
    }
    request.returnsIdpCredential = true
    switch purpose {
    case .signIn: break
    case .signInAsking: request.ifNew = SignInWithIdpRequest.ask
    case .link(let idToken): request.idToken = idToken
    case .reauthenticate: request.autoCreate = false
    }
    request.consent = consent.map { ConsentMessage($0) }
    return request
  }

  private var postBody: PostBody {
    var body = PostBody()
    body.providerID = credential.provider.rawValue
    // A pending token replaces all other values.
    guard credential.pendingToken == nil else { return body }
    body.idToken = credential.idToken
    body.nonce = credential.rawNonce
    body.accessToken = credential.accessToken
    body.oauthTokenSecret = credential.secret
    body.code = credential.authorizationCode
    body.realUserStatus = credential.realUserStatus.flatMap {
      GatehouseProtocol.RealUserStatus(rawValue: $0.rawValue)
    }
    if let name = credential.fullName, !name.isEmpty {
      body.user = UserName(firstName: name.givenName, lastName: name.familyName)
    }
    return body
  }

  func answer(_ response: SignInWithIdpResponse) throws(WireError) -> SignInWithIdpAnswer {
    try SignInWithIdpAnswer(response, sent: credential)
  }
}

extension ConsentMessage {
  init(_ consent: Consent) { self.init(version: consent.version, joins: consent.joins) }
}

/// The server's response to a provider's credential.
struct SignInWithIdpAnswer: Sendable {
  var outcome: Outcome
  var provider: Provider
  /// The user's id at the provider, after a prefix that depends on the provider.
  var federatedID: String?
  var isNewUser: Bool
  var email: String?
  var displayName: String?
  var photoURL: String?
  /// The provider's data about the user.
  var profile: JSONObject?
  var username: String?
  /// The provider's tokens, and the pending token with which a request can be repeated.
  var credential: IdentityProviderCredential?

  enum Outcome: Sendable {
    case signedIn(uid: String, HeldTokens)
    case secondFactorNeeded(uid: String?, PendingSecondFactor)
    /// No account has the identity yet, and none was created.
    case isNew
    case needsConfirmation(providers: [Provider])
    case consentRequired(joins: [String])
    /// The identity can't be linked: `EMAIL_EXISTS`, …
    case conflict(ServerRefusal)
  }

  /// - Throws: `WireError` for a response that has neither tokens nor one of the other results.
  init(
    _ response: SignInWithIdpResponse, sent: IdentityProviderCredential
  ) throws(WireError) {
    provider = response.providerID.isEmpty ? sent.provider : Provider(response.providerID)
    federatedID = response.federatedID
    isNewUser = response.isNewUser
    email = response.email
    displayName = response.displayName
    photoURL = response.photoURL
    profile = response.rawUserInfo.flatMap { try? JSONObject(parsing: [UInt8]($0.utf8)) }
    username = response.screenName
    credential = Self.credential(response, of: provider, sent: sent)
    outcome = try Self.outcome(response)
  }

  /// Whether the response is about the identity that `linked` names.
  func isAbout(_ linked: LinkedProvider) -> Bool {
    guard let federatedID, linked.provider == provider, !linked.uid.isEmpty else { return false }
    let uid = Array(linked.uid.utf8)
    return federatedID.utf8.elementsEqual(uid)
      || federatedID.utf8.suffix(uid.count + 1).elementsEqual([UInt8(ascii: "/")] + uid)
  }

  private static func outcome(_ response: SignInWithIdpResponse) throws(WireError) -> Outcome {
    if let consent = response.consentRequired { return .consentRequired(joins: consent.joins) }
    if let message = response.errorMessage {
      return .conflict(ServerRefusal(status: 200, message: message))
    }
    if response.needConfirmation {
      return .needsConfirmation(providers: response.verifiedProviders.map { Provider($0) })
    }
    if let tokens = response.tokens {
      let held = try HeldTokens(tokens)
      return .signedIn(uid: response.localID ?? held.idToken.subject, held)
    }
    if let pending = response.secondFactor {
      return .secondFactorNeeded(uid: response.localID, pending)
    }
    guard response.isNewUser, response.pendingToken != nil else {
      throw WireError(field: "idToken", wanted: .string)
    }
    return .isNew
  }

  private static func credential(
    _ response: SignInWithIdpResponse, of provider: Provider, sent: IdentityProviderCredential
  ) -> IdentityProviderCredential? {
    var credential = IdentityProviderCredential(provider: provider)
    credential.idToken = response.oauthIDToken
    credential.accessToken = response.oauthAccessToken
    credential.secret = response.oauthTokenSecret
    credential.pendingToken = response.pendingToken
    guard
      credential.idToken != nil || credential.accessToken != nil || credential.secret != nil
        || credential.pendingToken != nil
    else { return nil }
    // The new credential also needs the data that the provider sends only once.
    credential.rawNonce = sent.rawNonce
    credential.fullName = sent.fullName
    credential.email = sent.email
    return credential
  }
}
