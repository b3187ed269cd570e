import GatehouseProtocol
import Logging

/// `accounts:signInWithIdp` (v3 `verifyAssertion`): signs in, links or re-authenticates with a
/// provider's token. With a pending token it repeats such a request.
struct SignInWithIdp: Endpoint {
  let services: APIServices
  private let metrics = SignInMetrics()

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
    var options = IdentitySignInOptions(ifNew: try Self.ifNew(request))
    options.language = call.language
    options.consent = try request.consent.map { try GivenConsent(checking: $0) }
    options.takesPendingToken = request.returnsIdpCredential
    options.client = call.client

    let named = request.pendingToken == nil ? post.providerID.flatMap { ProviderID($0) } : nil
    let brought = try await counted(named, in: project, call) {
      // Checked before the server asks a provider or uses a code or nonce up.
      options.linking = try request.idToken.map {
        try services.accounts.facts(ofIDToken: $0, in: project, now: call.now)
      }
      return try proof(of: request, post, requestURI, in: project, call)
    }
    return try await counted(brought.provider ?? named, in: project, call) {
      let (outcome, identity) = try await signIn(
        with: brought, request, options, in: project, call)
      return try answer(
        outcome, identity, returnsIdpCredential: request.returnsIdpCredential)
    }
  }

  /// The credential in a request.
  private enum Proof {
    case pendingToken(String, of: String?)
    case browser(BrowserAnswer)
    /// A token or an authorization code that the app received from the provider.
    case app(PostBody, requestURI: String)

    var provider: ProviderID? {
      if case .browser(let answer) = self { answer.signIn.provider } else { nil }
    }
  }

  private func proof(
    of request: SignInWithIdpRequest, _ post: PostBody, _ requestURI: RequestURI,
    in project: Project, _ call: Call
  ) throws -> Proof {
    if let token = request.pendingToken { return .pendingToken(token, of: post.providerID) }
    let answer = try browserAnswer(post, request, requestURI, in: project, call)
    return answer.map { .browser($0) } ?? .app(post, requestURI: requestURI.text)
  }

  private func signIn(
    with proof: Proof, _ request: SignInWithIdpRequest, _ options: IdentitySignInOptions,
    in project: Project, _ call: Call
  ) async throws -> (IdentitySignIn, ExternalIdentity) {
    switch proof {
    case .pendingToken(let token, let provider):
      return try await services.accounts.signIn(
        withPendingToken: token, of: provider, options: options, in: project, now: call.now)
    case .app(let post, let requestURI):
      let nonce = try services.accounts.accept(
        nonce: post.nonce, sessionID: request.sessionID, linking: options.linking, in: project,
        now: call.now)
      let identity = try await identity(post, requestURI, project, call)
      Self.logRefusedEmail(of: identity, in: project, call)
      var options = options
      options.authorizationCode = post.code.map { AuthorizationCode(Secret($0)) }
      return try await services.accounts.signIn(
        with: identity, nonce: nonce, options: options, in: project, now: call.now)
    case .browser(let answer):
      let (identity, nonce) = try await redeem(answer, request, in: project, call)
      Self.logRefusedEmail(of: identity, in: project, call)
      guard answer.signIn.purpose == .reauthenticate else {
        return try await services.accounts.signIn(
          with: identity, nonce: nonce, options: options, in: project, now: call.now)
      }
      return try await reauthenticate(with: identity, nonce, options, in: project, call)
    }
  }

  /// The user's account gets no email, and the operator should be able to find out why.
  private static func logRefusedEmail(
    of identity: ExternalIdentity, in project: Project, _ call: Call
  ) {
    guard identity.hasRefusedEmail else { return }
    call.logger.warning(
      """
      a provider sent an email address that this server doesn't accept, so the user signs in without \
      an email; docs/guides/email.md says which addresses are accepted
      """, metadata: ["provider": "\(identity.provider)", "project": "\(project.id)"])
  }

  /// Signs in without creating an account.
  ///
  /// The request doesn't tell the server that it re-authenticates; the sealed state does. If the user
  /// chose a wrong account at the provider, an ordinary sign-in would create an account that is
  /// never used.
  private func reauthenticate(
    with identity: ExternalIdentity, _ nonce: AcceptedNonce, _ options: IdentitySignInOptions,
    in project: Project, _ call: Call
  ) async throws -> (IdentitySignIn, ExternalIdentity) {
    var options = options
    options.ifNew = .refuse
    do {
      return try await services.accounts.signIn(
        with: identity, nonce: nonce, options: options, in: project, now: call.now)
    } catch AccountsError.userNotFound {
      // Not USER_NOT_FOUND: a page's SDK would conclude that the signed-in account was deleted.
      throw APIError.refused(.userMismatch, "No account has this identity.")
    }
  }

  /// Runs `body`. Counts an error in the metrics, and logs it if the operator has to act.
  private func counted<Value>(
    _ provider: ProviderID?, in project: Project, _ call: Call, _ body: () async throws -> Value
  ) async throws -> Value {
    do {
      return try await body()
    } catch {
      metrics.count(.refused, provider)
      if let error = error as? FederationError, error.isOperatorsConcern {
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
      throw error
    }
  }

  /// Verifies the app's token. The provider's configuration is checked first, so that the server
  /// sends no request to a disabled provider.
  private func identity(
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

  private func answer(
    _ outcome: IdentitySignIn, _ identity: ExternalIdentity, returnsIdpCredential: Bool
  ) throws -> Answer {
    var response = SignInWithIdpResponse(identity)
    switch outcome {
    case .signedIn(let signedIn, let pendingToken):
      metrics.count(signedIn.isNewUser ? .signedUp : .signedIn, identity.provider)
      response.add(signedIn, pendingToken: pendingToken)
    case .needsConfirmation(let confirmation):
      metrics.count(.needsConfirmation, identity.provider)
      response.add(confirmation)
    case .isNew(let pendingToken):
      metrics.count(.asked, identity.provider)
      response.isNewUser = true
      response.pendingToken = pendingToken
    case .consentRequired(let parts, let pendingToken):
      metrics.count(.needsConsent, identity.provider)
      response.add(consentRequired: parts, pendingToken: pendingToken)
    case .conflict(let error, let pendingToken):
      // A client that can use a pending token gets one: the user may sign in to the other account
      // with it. Other clients get an error.
      guard returnsIdpCredential else { throw error }
      metrics.count(.conflict, identity.provider)
      response.add(conflict: error, pendingToken: pendingToken)
    }
    return Answer(response)
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
      throw APIError.refused(.operationNotAllowed, ErrorMapping.configurationNotFound)
    }
    guard configuration.isEnabled else { throw AccountsError.providerDisabled }
    return configuration
  }
}
