import GatehouseProtocol
import Logging

/// `accounts:signInWithIdp` (v3 `verifyAssertion`): signs in, links or re-authenticates with a
/// provider's token. With a pending token it repeats such a request.
struct SignInWithIdp: Endpoint {
  let services: APIServices

  init(services: APIServices) { self.services = services }

  var routes: [Route] {
    Route.signIn("signInWithIdp", v3: "verifyAssertion", answer)
  }

  func answer(_ call: Call) async throws -> Answer {
    let request = try call.request(SignInWithIdpRequest.self)
    let project = try call.requireProject()
    guard let text = request.requestURI else { throw APIError.refused(.missingRequestURI) }
    guard Self.isAbsolute(text) else { throw APIError.refused(.invalidRequestURI) }
    let requestURI = RequestURI(text)
    let post = PostBody(postBody: request.postBody, requestURI: requestURI)
    let ifNew = try Self.ifNew(request)
    let consent = try request.consent.map { try GivenConsent(checking: $0) }
    var provider = request.pendingToken == nil ? post.providerID.flatMap { ProviderID($0) } : nil
    do {
      // Checked before the server asks a provider or uses a code or nonce up.
      let linking = try request.idToken.map {
        try services.accounts.facts(ofIDToken: $0, in: project, now: call.now)
      }
      var isReauthentication = false
      let identity: ExternalIdentity
      let proof: IdentitySignIn.Proof
      var code: AuthorizationCode?
      if let token = request.pendingToken {
        (identity, proof) = try services.accounts.identity(
          inPendingToken: token, of: post.providerID, in: project, now: call.now)
      } else if let answer = try browserAnswer(post, request, requestURI, in: project, call) {
        provider = answer.signIn.provider
        (identity, proof) = try await redeem(answer, request, in: project, call)
        isReauthentication = answer.signIn.purpose == .reauthenticate
      } else {
        let nonce = try services.accounts.accept(
          nonce: post.nonce, sessionID: request.sessionID, linking: linking, in: project,
          now: call.now)
        identity = try await verify(post, requestURI.text, project, call)
        proof = .verified(nonce)
        code = post.code.map { AuthorizationCode(Secret($0)) }
      }
      if identity.hasRefusedEmail { Self.logRefusedEmail(of: identity, in: project, call) }
      // The request doesn't tell the server that it re-authenticates; the sealed state does. If the
      // user chose a wrong account at the provider, an ordinary sign-in would create an account that
      // is never used.
      let signIn = IdentitySignIn(
        identity, proof, in: project, now: call.now, from: call.client,
        ifNew: isReauthentication ? .refuse : ifNew, linking: linking, consent: consent,
        takesPendingToken: request.returnsIdpCredential, authorizationCode: code,
        language: call.language)
      do {
        return Answer(
          try response(
            to: try await services.accounts.signIn(signIn),
            returnsIdpCredential: request.returnsIdpCredential))
      } catch AccountsError.userNotFound where isReauthentication {
        // Not USER_NOT_FOUND: a page's SDK would conclude that the signed-in account was deleted.
        throw APIError.refused(.userMismatch, "No account has this identity.")
      }
    } catch {
      Self.logOperatorsConcern(error, provider, in: project, call)
      throw error
    }
  }

  /// The user's account gets no email, and the operator should be able to find out why.
  private static func logRefusedEmail(
    of identity: ExternalIdentity, in project: Project, _ call: Call
  ) {
    call.logger.warning(
      """
      a provider sent an email address that this server doesn't accept, so the user signs in without \
      an email; docs/guides/email.md says which addresses are accepted
      """, metadata: ["provider": "\(identity.provider)", "project": "\(project.id)"])
  }

  private static func logOperatorsConcern(
    _ error: any Error, _ provider: ProviderID?, in project: Project, _ call: Call
  ) {
    guard let error = error as? FederationError, error.isOperatorsConcern else { return }
    call.logger.error(
      """
      a sign-in failed because of a provider's configuration, here or at the provider; `gatehouse \
      providers test` says what to do
      """,
      metadata: [
        "provider": "\(provider.map { "\($0)" } ?? "")", "project": "\(project.id)",
        "reason": "\(error)",
      ])
  }

  /// Verifies the app's token. The provider's configuration is checked first, so that the server
  /// sends no request to a disabled provider.
  private func verify(
    _ post: PostBody, _ requestURI: String, _ project: Project, _ call: Call
  ) async throws -> ExternalIdentity {
    guard let providerID = post.providerID else { throw Self.notACredential(requestURI, nil) }
    let configuration = try await services.configuration(providerID, in: project)
    guard post.idToken != nil || post.accessToken != nil || post.code != nil else {
      throw Self.notACredential(requestURI, providerID)
    }
    var credential = IdPCredential(
      idToken: post.idToken.map { Secret($0) }, accessToken: post.accessToken.map { Secret($0) },
      authorizationCode: post.code.map { Secret($0) }, rawNonce: post.nonce,
      userName: post.user)
    credential.realUserStatus = post.realUserStatus
    let ask = { [credential] () async throws -> ExternalIdentity in
      try await services.federation.identity(from: credential, for: configuration, now: call.now)
    }
    guard services.federation.asksProvider(about: credential, for: configuration) else {
      return try await ask()
    }
    return try await services.accounts.withRateLimit(
      from: call.client, in: project, now: call.now,
      countingIf: {
        switch $0 {
        case .success(let identity): identity.isAccessTokenRefused
        case .failure(let error): (error as? FederationError)?.isProvidersRefusal == true
        }
      }, ask)
  }

  private func response(
    to result: IdentitySignIn.Result, returnsIdpCredential: Bool
  ) throws -> SignInWithIdpResponse {
    var response = SignInWithIdpResponse(result.identity)
    response.pendingToken = result.pendingToken
    let provider = result.identity.provider
    switch result.outcome {
    case .ended(let user):
      switch user {
      case .signedIn(let signedIn):
        response.tokens = signedIn.tokens
      case .secondFactorNeeded(let demand):
        response.secondFactor = PendingSecondFactor(demand)
      }
      response.isNewUser = user.isNewUser
      response.add(user.account)
    case .needsConfirmation(let account, let isRecycled):
      SignInOutcome.needsConfirmation.count(provider)
      response.localID = account?.uid.text
      response.needConfirmation = true
      response.verifiedProviders = account?.identities.map(\.provider.text) ?? []
      response.emailRecycled = isRecycled
    case .isNew:
      SignInOutcome.asked.count(provider)
      response.isNewUser = true
    case .consentRequired(let parts):
      SignInOutcome.needsConsent.count(provider)
      response.errorMessage = AccountsError.consentRequired(parts).apiError.message
      response.consentRequired = ConsentRequired(parts)
    case .conflict(let error):
      // A client that can use a pending token gets one: the user may sign in to the other account
      // with it. Other clients get an error.
      guard returnsIdpCredential else { throw error }
      SignInOutcome.conflict.count(provider)
      response.errorMessage = error.apiError.message
    }
    return response
  }

  private static func ifNew(_ request: SignInWithIdpRequest) throws(APIError) -> IfNew {
    switch request.ifNew {
    case nil, SignInWithIdpRequest.create?: request.autoCreate ? .create : .refuse
    case SignInWithIdpRequest.ask?: request.autoCreate ? .ask : .refuse
    default: throw .refused(.invalidIfNew, "It is \"create\" or \"ask\".")
    }
  }

  /// The error for a request without a credential. Firebase shows the callback with all parameters of
  /// the request. These may contain tokens, so only the provider is shown.
  private static func notACredential(_ requestURI: String, _ provider: String?) -> APIError {
    let end = requestURI.utf8.firstIndex { "?#".utf8.contains($0) } ?? requestURI.endIndex
    let shown = requestURI[..<end].prefix(200)
    let query = provider.map { "?providerId=\($0)" } ?? ""
    return .refused(
      .invalidCredentialOrProviderID, "Invalid IdP response/credential: \(shown)\(query)")
  }

  /// `scheme ":" …` (RFC 3986 §4.3). An http or https URI also needs a host (RFC 9110 §4.2).
  private static func isAbsolute(_ uri: String) -> Bool {
    guard let colon = uri.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
    let scheme = uri[..<colon]
    let rest = uri.utf8[colon...].dropFirst()
    let isLetter = { (byte: UInt8) in
      (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte)
    }
    guard scheme.utf8.first.map(isLetter) == true, !rest.isEmpty,
      scheme.utf8.allSatisfy({
        isLetter($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0)
      })
    else { return false }
    guard ["http", "https"].containsBytes(of: scheme.asciiLowercased) else { return true }
    let host = rest.dropFirst(2).prefix { !"/?#".utf8.contains($0) }
    return rest.starts(with: "//".utf8) && !host.isEmpty && host.first != UInt8(ascii: ":")
      && host.allSatisfy { $0 > 0x20 }
  }
}

extension SignInWithIdpResponse {
  /// What the provider reported. Every response about an identity contains it, even if the account
  /// has another name or email address.
  fileprivate init(_ identity: ExternalIdentity) {
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

  fileprivate mutating func add(_ account: Account) {
    localID = account.uid.text
    if let own = account.email, own.text == email { emailVerified = account.isEmailVerified }
    addWhatIsKept(of: account)
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

  /// `https://accounts.google.com/<sub>` for Google, and Firebase's form for each built-in
  /// provider; `<provider>/<sub>` for OpenID Connect.
  private static func federatedID(_ identity: ExternalIdentity) -> String {
    let kind = IdentityProviders.kind(of: identity.provider)
    let prefix = kind?.id == nil ? "\(identity.provider.text)/" : kind?.federatedIDPrefix
    return (prefix ?? "") + identity.subject.text
  }
}

extension APIServices {
  /// A provider that is configured and enabled.
  ///
  /// - Throws: ``APIError`` with `OPERATION_NOT_ALLOWED`, or `AccountsError.providerDisabled`. Ids
  ///   are compared as bytes: a different letter case is a different provider, which doesn't exist.
  func configuration(
    _ providerID: String, in project: Project
  ) async throws -> ProviderConfiguration {
    guard let id = ProviderID(providerID),
      let configuration = try await projects.provider(id, in: project.id)
    else {
      throw APIError.configurationNotFound
    }
    guard configuration.isEnabled else { throw AccountsError.providerDisabled }
    return configuration
  }
}
