extension AuthClient {
  /// Signs in with a provider's credential, a password, a phone number, or an email link or code.
  ///
  /// A provider's token with a nonce can be used only once. After ``ClientError/network(_:)`` the
  /// server may reject the same credential as used, and the user has to be asked again.
  ///
  /// - Throws: ``ClientError/secondFactorRequired(_:)``, as every sign-in;
  ///   ``ClientError/accountExists(email:providers:updated:)``,
  ///   ``ClientError/credentialInUse(updated:email:code:)``, ``ClientError/nonce(detail:)``,
  ///   ``ClientError/consentRequired(joins:updated:)``; ``ClientError/cancelled``, also if a user
  ///   signed out or in meanwhile; ``ClientError/store(_:)`` if the store is locked, or the session
  ///   can't be stored. A failed sign-in doesn't change who is signed in.
  @discardableResult
  @concurrent public func signIn(with credential: Credential, consent: Consent? = nil)
    async throws(ClientError) -> SignInResult
  {
    switch try await core.signIn(with: credential, asking: false, consent: consent) {
    case .signedIn(let result): return result
    case .newAccount:
      throw .badAnswer(detail: "The server asked an unexpected new-account question.")
    }
  }

  /// Signs in, but asks before an account is created for a new identity.
  ///
  /// Passwords, phone numbers and email links never lead to this question: a password belongs to an
  /// existing account, and a user who enters a code or follows a link wants to sign in.
  @concurrent public func signInAsking(with credential: Credential, consent: Consent? = nil)
    async throws(ClientError) -> SignInOutcome
  {
    switch try await core.signIn(with: credential, asking: true, consent: consent) {
    case .signedIn(let result): return .signedIn(result)
    case .newAccount(let provider, let email, let pending):
      return .newAccount(
        NewAccountOffer(provider: provider, email: email, client: self, pending: pending))
    }
  }

  /// Creates an anonymous account and signs in to it. If the current user is anonymous already,
  /// that user stays signed in and is returned, without a request. Concurrent calls return the same user.
  ///
  /// - Throws: ``ClientError/cancelled`` also if another process has stored the session of a user who isn't
  ///   anonymous: that user is now signed in. ``ClientError/store(_:)`` also if the stored session can't be read: it may be that of an
  ///   anonymous user, who could not sign in again.
  @discardableResult
  @concurrent public func signInAnonymously() async throws(ClientError) -> SignInResult {
    try await core.load()
    if core.state == .signedOut {
      // The user may have signed in in another process.
      try await core.readAgain()
      if let user = core.currentUser, !user.snapshot.isAnonymous { throw .cancelled }
    }
    if let present = presentAnonymousUser { return present }
    let call = SignUpCall()
    do {
      return try await core.signIn(.anonymous) { (api) throws(CallError) in
        NewableSignIn(answer: try await api.send(call), isNewUser: true)
      }
    } catch .cancelled {
      // Another call of this function was faster.
      guard !Task.isCancelled, let present = presentAnonymousUser else { throw .cancelled }
      return present
    }
  }

  private var presentAnonymousUser: SignInResult? {
    guard let user = currentUser, user.snapshot.isAnonymous else { return nil }
    return SignInResult(
      user: user, snapshot: user.snapshot, provider: .anonymous, isNewUser: false)
  }

  /// Signs in with a custom token.
  ///
  /// - Parameter token: Created by the app's back end; valid for one hour at most.
  @discardableResult
  @concurrent public func signIn(withCustomToken token: String) async throws(ClientError)
    -> SignInResult
  {
    let call = SignInWithCustomTokenCall(token: token)
    return try await core.signIn(.custom) { (api) throws(CallError) in try await api.send(call) }
  }

  /// Creates an account with a password and signs in to it.
  ///
  /// - Throws: ``ClientError/credentialInUse(updated:email:code:)`` with `EMAIL_EXISTS`;
  ///   ``ClientError/server(_:)`` with `WEAK_PASSWORD`, `INVALID_EMAIL`, …
  @discardableResult
  @concurrent public func createUser(email: String, password: String) async throws(ClientError)
    -> SignInResult
  {
    let call = SignUpCall(email: email, password: password)
    return try await core.signIn(.password, email: email) { (api) throws(CallError) in
      NewableSignIn(answer: try await api.send(call), isNewUser: true)
    }
  }

  /// Asks the server for the nonce of the next sign-in, for a project that accepts only the
  /// server's nonces.
  @concurrent public func issueNonce() async throws(ClientError) -> ServerNonce {
    do { return try await core.api.send(NonceCall()) } catch { throw ClientError(error) }
  }
}
