import GatehouseProtocol

/// How a user signs in: the credential is exchanged for tokens, the profile is read with them, and
/// then the session begins.
extension ClientCore {
  enum SignIn {
    case signedIn(SignInResult)
    case newAccount(Provider, email: String?, pending: IdentityProviderCredential)
  }

  func signIn(
    with credential: Credential, asking: Bool, consent: Consent?
  ) async throws(ClientError) -> SignIn {
    switch credential {
    case .identityProvider(let credential):
      return try await signIn(with: credential, asking: asking, consent: consent)
    case .password(let email, let password):
      let call = SignInWithPasswordCall(email: email, password: password)
      return .signedIn(
        try await signIn(.password, email: email) { (api) throws(CallError) in
          NewableSignIn(answer: try await api.send(call), isNewUser: false)
        })
    case .emailLink(let email, let link):
      return try await signIn(email: email, code: try MailedLink.code(in: link))
    case .emailCode(let email, let code):
      return try await signIn(email: email, code: code)
    case .phoneNumber(let credential):
      let call = SignInWithPhoneNumberCall(credential: credential, operation: .signUpOrIn)
      return .signedIn(
        try await signIn(.phone) { (api) throws(CallError) in
          guard case .signedIn(let signIn) = try await api.send(call) else {
            throw .badAnswer("The server returned a temporary proof for a sign-in.")
          }
          return signIn
        })
    case .passkey(let assertion):
      let call = FinalizePasskeySignInCall(assertion: assertion)
      return .signedIn(
        try await signIn(.passkey) { (api) throws(CallError) in
          NewableSignIn(answer: try await api.send(call), isNewUser: false)
        })
    }
  }

  private func signIn(email: String, code: String) async throws(ClientError) -> SignIn {
    let call = SignInWithEmailLinkCall(email: email, code: code)
    return .signedIn(
      try await signIn(.password, email: email) { (api) throws(CallError) in
        try await api.send(call)
      })
  }

  /// A sign-in with a second factor.
  func signIn(
    _ provider: Provider?, _ send: (ServerAPI) async throws(CallError) -> HeldTokens
  ) async throws(ClientError) -> SignInResult {
    try await signIn(provider) { (api) throws(CallError) in
      NewableSignIn(answer: .signedIn(try await send(api)), isNewUser: false)
    }
  }

  /// A sign-in whose response contains only tokens.
  func signIn(
    _ provider: Provider?, email: String? = nil,
    _ send: (ServerAPI) async throws(CallError) -> NewableSignIn
  ) async throws(ClientError) -> SignInResult {
    try await loadBeforeSignIn()
    let sessionRequests = self.sessionRequests
    let answer: NewableSignIn
    do {
      answer = try await send(api)
    } catch {
      throw ClientError(error, RefusalContext(email: email))
    }
    let tokens = try answer.answer.tokens(
      or: WaitingSignIn(self, provider: provider, isNewUser: answer.isNewUser))
    let user = try await begin(tokens, since: sessionRequests)
    return SignInResult(
      user: user, snapshot: user.snapshot, provider: provider, isNewUser: answer.isNewUser)
  }

  private func signIn(
    with credential: IdentityProviderCredential, asking: Bool, consent: Consent?
  ) async throws(ClientError) -> SignIn {
    try await loadBeforeSignIn()
    let sessionRequests = self.sessionRequests
    let credential = try await remember(credential)
    let answer: SignInWithIdpAnswer
    do {
      answer = try await api.send(
        SignInWithIdpCall(
          credential: credential, purpose: asking ? .signInAsking : .signIn, consent: consent))
    } catch {
      throw ClientError(error)
    }
    spentCredentials.keep(answer.credential?.pendingToken, of: credential)
    if asking, case .isNew = answer.outcome, let pending = answer.credential {
      return .newAccount(answer.provider, email: answer.email, pending: pending)
    }
    let (_, tokens) = try answer.session(or: WaitingSignIn(self, sent: credential, answer))
    let user = try await begin(tokens, since: sessionRequests)
    await acknowledge(credential, by: user)
    return .signedIn(SignInResult(user, answer))
  }

  private func begin(
    _ tokens: HeldTokens, since sessionRequests: UInt64
  ) async throws(ClientError) -> SignedInUser {
    let snapshot = try await snapshot(tokens.idToken)
    return try await begin(HeldSession(tokens: tokens, snapshot: snapshot), since: sessionRequests)
  }

  /// The user's profile on the server. If the response with the profile is lost, the profile is
  /// created from the token's claims: the sign-in already has its tokens, and must not fail.
  func snapshot(_ token: IDToken) async throws(ClientError) -> UserSnapshot {
    do {
      return UserSnapshot(try await api.send(LookupCall(idToken: token.token)))
    } catch {
      switch error {
      case .network, .badAnswer: return UserSnapshot(claims: token)
      case .cancelled: throw .cancelled
      case .refused(let refusal, _):
        guard let end = SessionEnd(refusalCode: refusal.code) else {
          return UserSnapshot(claims: token)
        }
        throw .sessionEnded(end)
      }
    }
  }
}

extension SignInWithIdpAnswer {
  /// The session in the response.
  ///
  /// - Parameter waiting: What a second factor would end.
  /// - Throws: An error that says what the user has to do first.
  func session(
    or waiting: @autoclosure () -> WaitingSignIn
  ) throws(ClientError) -> (uid: String, tokens: HeldTokens) {
    switch outcome {
    case .signedIn(let uid, let tokens): return (uid, tokens)
    case .secondFactorNeeded(_, let pending):
      throw .secondFactorRequired(SecondFactorResolver(pending, waiting()))
    case .isNew: throw .badAnswer(detail: "The server asked an unexpected new-account question.")
    case .needsConfirmation(let providers):
      throw .accountExists(email: email, providers: providers, updated: credential)
    case .consentRequired(let joins):
      throw .consentRequired(joins: joins, updated: credential)
    case .conflict(let refusal):
      throw ClientError(refusal, RefusalContext(updated: credential, email: email))
    }
  }
}

extension SignInResult {
  init(_ user: SignedInUser, _ answer: SignInWithIdpAnswer) {
    self.init(
      user: user, snapshot: user.snapshot, provider: answer.provider,
      isNewUser: answer.isNewUser, profile: answer.profile, username: answer.username,
      credential: answer.credential)
  }
}
