import Crypto
import Foundation
import GatehouseClient
import GatehouseProtocol

/// Sign-in, linking and re-authentication with a provider's token.
extension ServerState {
  /// A verified identity, as a provider's token describes it.
  struct AssertedIdentity {
    var provider: Provider
    var subject: String
    var email: String?
    /// Whether the provider says so, and its word is taken for it.
    var isEmailVerified: Bool
    var givenName: String?
    var familyName: String?
    var photoURL: URL?
    var idToken: String?
    var accessToken: String?
    /// Whether the server has a token with which it can revoke the authorization.
    var isRevocable = false

    var displayName: String? {
      let parts = [givenName, familyName].compactMap(\.self).filter { !$0.isEmpty }
      return parts.isEmpty ? nil : parts.joined(separator: " ")
    }
  }

  struct PendingIdentity {
    var identity: AssertedIdentity
    var verifiedAt: Date

    static let lifetimeSeconds: TimeInterval = 600
  }

  mutating func signIn(_ request: SignInWithIdpRequest) throws(Refusal) -> SignInWithIdpResponse {
    guard let requestURI = request.requestURI else { throw Refusal(.missingRequestURI) }
    let post = PostBody(postBody: request.postBody, requestURI: RequestURI(requestURI))
    let current: CurrentUser? =
      if let token = request.idToken { try currentUser(token) } else { nil }
    let identity: AssertedIdentity
    var verifiedAt = now
    if let token = request.pendingToken {
      guard let known = pending[token],
        now.timeIntervalSince(known.verifiedAt) < PendingIdentity.lifetimeSeconds,
        post.providerID.map({ $0 == known.identity.provider.rawValue }) ?? true
      else { throw Refusal(.invalidPendingToken) }
      identity = known.identity
      verifiedAt = known.verifiedAt
    } else {
      identity = try verify(post, requestURI)
    }
    var response = SignInWithIdpResponse(identity)
    let token = "pending-\(next())"
    pending[token] = PendingIdentity(identity: identity, verifiedAt: verifiedAt)
    response.pendingToken = token
    if let current {
      try link(identity, to: current, verifiedAt: verifiedAt, request, &response)
    } else {
      try signIn(identity, verifiedAt: verifiedAt, request, &response)
    }
    return response
  }

  // MARK: The provider's token

  private mutating func verify(
    _ post: PostBody, _ requestURI: String
  ) throws(Refusal) -> AssertedIdentity {
    let notACredential = "Invalid IdP response/credential: \(requestURI)"
    guard let name = post.providerID else {
      throw Refusal(.invalidCredentialOrProviderID, notACredential)
    }
    let provider = Provider(name)
    guard TestPerson.providers.contains(provider) || name.hasPrefix("oidc.") else {
      throw Refusal(.operationNotAllowed, "The identity provider configuration is not found.")
    }
    if post.idToken == nil, post.accessToken == nil {
      guard post.code == nil else { throw .notOffered("a sign-in with a code alone") }
      throw Refusal(
        .invalidCredentialOrProviderID, "\(notACredential)?providerId=\(name)")
    }
    // Only these two have no ID tokens, or apps that do without them.
    let usesAccessToken =
      post.idToken == nil && [Provider.facebook, .github].contains(provider)
    guard usesAccessToken || post.idToken != nil else {
      throw Refusal(
        .invalidCredentialOrProviderID,
        "Invalid IdP response/credential: an ID token is needed.")
    }
    guard
      let token = (usesAccessToken ? post.accessToken : post.idToken).flatMap({ provided[$0] }),
      token.kind == (usesAccessToken ? .accessToken : .idToken), token.provider == provider
    else {
      throw Refusal(
        .invalidIDPResponse,
        usesAccessToken
          ? "Bad access token: AuthTestServer.authorize(_:person:nonce:) creates tokens."
          : "Unable to verify the ID Token signature.")
    }
    guard token.expiresAt > now else {
      throw Refusal(
        .invalidIDPResponse, "ID Token issued at \(token.issuedAt.wireSeconds) is stale to sign-in."
      )
    }
    if !usesAccessToken { try checkNonce(post.nonce, of: token, post.idToken ?? "") }
    var identity = token.identity
    if provider == .apple {
      identity.givenName = post.user?.firstName
      identity.familyName = post.user?.lastName
    }
    identity.idToken = post.idToken
    identity.accessToken = post.accessToken
    if let code = post.code, provided[code]?.kind == .code {
      provided[code]?.isExchanged = true
      identity.isRevocable = true
    }
    return identity
  }

  /// The provider got the nonce's SHA-256 in lower-case hex. A token with a nonce can be used once.
  private mutating func checkNonce(
    _ raw: String?, of token: ProviderToken, _ text: String
  ) throws(Refusal) {
    let duplicate = Refusal(
      .missingOrInvalidNonce,
      "Duplicate credential received. Please try again with a new credential.")
    guard let raw, !raw.isEmpty else {
      // Google's SDK adds a nonce of its own.
      guard token.nonce == nil || token.provider == .google else {
        throw Refusal(.missingOrInvalidNonce, "Nonce is missing in the request.")
      }
      if token.nonce != nil, spentNonces.contains(text) { throw duplicate }
      return
    }
    guard let nonce = token.nonce else {
      throw Refusal(.missingOrInvalidNonce, "Nonce is missing in the ID Token.")
    }
    guard Hexadecimal.text(SHA256.hash(data: Data(raw.utf8))) == nonce else {
      throw Refusal(
        .missingOrInvalidNonce,
        "The nonce in ID Token \"\(nonce)\" does not match the SHA256 hash of the raw nonce "
          + "\"\(raw)\" in the request.")
    }
    let pair = "\(token.provider) \(token.identity.subject) \(nonce)"
    guard spentNonces.insert(text).inserted, spentNonces.insert(pair).inserted else {
      throw duplicate
    }
  }

  // MARK: Whose account

  /// docs/architecture.md, “Whose account a sign-in enters”.
  private mutating func signIn(
    _ identity: AssertedIdentity, verifiedAt: Date, _ request: SignInWithIdpRequest,
    _ response: inout SignInWithIdpResponse
  ) throws(Refusal) {
    if var owner = user(with: identity) {
      if owner.isDisabled { throw Refusal(.userDisabled, isCommitted: true) }
      owner.learn(identity)
      return begin(owner, identity, verifiedAt, &response)
    }
    guard request.autoCreate else { throw Refusal(.userNotFound) }
    guard var owner = user(email: identity.email) else {
      return create(identity, verifiedAt, request, &response)
    }
    let isOfOther =
      owner.identity(identity.provider).map { other in
        !identity.isEmailVerified || owner.isEmailVerified || other.email == identity.email
      } ?? false
    guard identity.isEmailVerified, !isOfOther else {
      response.needConfirmation = true
      guard !protectsEmails else { return }
      response.localID = owner.uid
      response.verifiedProviders = owner.identities.map(\.provider.rawValue)
      response.emailRecycled = isOfOther
      return
    }
    if owner.isDisabled { throw Refusal(.userDisabled, isCommitted: true) }
    guard owner.isEmailVerified else {
      if owner.isCustom, request.ifNew == SignInWithIdpRequest.ask {
        response.isNewUser = true
        return
      }
      var account = takenOver(owner)
      account.add(identity)
      return begin(account, identity, verifiedAt, &response)
    }
    owner.displayName = identity.displayName ?? owner.displayName
    owner.photoURL = identity.photoURL ?? owner.photoURL
    owner.add(identity)
    begin(owner, identity, verifiedAt, &response)
  }

  private mutating func create(
    _ identity: AssertedIdentity, _ verifiedAt: Date, _ request: SignInWithIdpRequest,
    _ response: inout SignInWithIdpResponse
  ) {
    if request.ifNew == SignInWithIdpRequest.ask {
      response.isNewUser = true
      return
    }
    var account = newUser()
    account.email = identity.email
    account.isEmailVerified = identity.email != nil && identity.isEmailVerified
    account.add(identity)
    begin(account, identity, verifiedAt, &response)
  }

  private mutating func link(
    _ identity: AssertedIdentity, to current: CurrentUser, verifiedAt: Date,
    _ request: SignInWithIdpRequest, _ response: inout SignInWithIdpResponse
  ) throws(Refusal) {
    var account = current.account
    let emailOwner = user(email: identity.email)
    let conflict: ErrorCode? =
      if user(with: identity) != nil {
        .federatedUserIDAlreadyLinked
      } else if let emailOwner, emailOwner.uid != account.uid {
        .emailExists
      } else if account.identity(identity.provider) != nil {
        .providerAlreadyLinked
      } else {
        nil
      }
    if let conflict {
      guard request.returnsIdpCredential else { throw Refusal(conflict, isCommitted: true) }
      response.errorMessage = conflict.rawValue
      return
    }
    let isRecent =
      now.timeIntervalSince(current.session.authenticatedAt) <= Self.recentSeconds
    account.add(identity)
    if account.email == nil, current.isGuest || isRecent {
      account.email = identity.email
      account.isEmailVerified = identity.email != nil && identity.isEmailVerified
    }
    // The identity is new to the account, so it doesn't show that the caller is its user.
    begin(
      account, identity, current.isGuest ? verifiedAt : current.session.authenticatedAt,
      of: current, &response)
  }

  private mutating func begin(
    _ account: TestUser, _ identity: AssertedIdentity, _ authenticatedAt: Date,
    of current: CurrentUser? = nil, _ response: inout SignInWithIdpResponse
  ) {
    response.isNewUser = user(account.uid) == nil
    response.localID = account.uid
    if account.email == response.email { response.emailVerified = account.isEmailVerified }
    if let current {
      response.tokens = begin(
        account, by: identity.provider, authenticatedAt: authenticatedAt,
        with: current.session.secondFactor)
    } else {
      (response.tokens, response.secondFactor) = signIn(
        account, by: identity.provider, authenticatedAt: authenticatedAt)
    }
  }

  /// The identity leaves its account: its pending tokens can no longer be used.
  mutating func detach(_ identity: LinkedProvider) {
    if identity.isRevokedOnDeletion == true {
      revokeGrant(of: identity.uid, at: identity.provider)
    }
    pending = pending.filter {
      $0.value.identity.provider != identity.provider || $0.value.identity.subject != identity.uid
    }
  }
}

extension TestUser {
  fileprivate mutating func add(_ identity: ServerState.AssertedIdentity) {
    identities.append(LinkedProvider(provider: identity.provider, uid: identity.subject))
    learn(identity)
  }

  /// What a token lacks doesn't erase what is stored.
  fileprivate mutating func learn(_ identity: ServerState.AssertedIdentity) {
    guard let index = identities.firstIndex(where: { $0.provider == identity.provider }) else {
      return
    }
    identities[index].email = identity.email ?? identities[index].email
    identities[index].displayName = identity.displayName ?? identities[index].displayName
    identities[index].photoURL = identity.photoURL ?? identities[index].photoURL
    if identity.isRevocable { identities[index].isRevokedOnDeletion = true }
    if displayName?.isEmpty ?? true { displayName = identity.displayName ?? displayName }
    photoURL = photoURL ?? identity.photoURL
    if identity.isEmailVerified, email != nil, email == identity.email { isEmailVerified = true }
  }
}

extension SignInWithIdpResponse {
  fileprivate init(_ identity: ServerState.AssertedIdentity) {
    self.init(providerID: identity.provider.rawValue)
    let prefix: String =
      switch identity.provider {
      case .apple, .microsoft: ""
      case .google: "https://accounts.google.com/"
      case .facebook: "http://facebook.com/"
      case .github: "http://github.com/"
      default: "\(identity.provider)/"
      }
    federatedID = prefix + identity.subject
    email = identity.email
    emailVerified = identity.isEmailVerified
    displayName = identity.displayName
    fullName = identity.displayName
    firstName = identity.givenName
    lastName = identity.familyName
    photoURL = identity.photoURL?.absoluteString
    oauthIDToken = identity.idToken
    oauthAccessToken = identity.accessToken
    var profile: JSONObject = ["sub": .string(identity.subject)]
    profile["email"] = identity.email.map { .string($0) }
    profile["name"] = identity.displayName.map { .string($0) }
    rawUserInfo = JSONValue.object(profile).text()
  }
}
