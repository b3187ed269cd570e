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
