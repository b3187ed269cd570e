extension AuthClient {
  /// Signs in with what a provider gave, a password, or a mailed link.
  ///
  /// A provider's token that carries a nonce is good once: after ``ClientError/network(_:)`` the
  /// same credential may be refused as used, and the person has to be asked again.
  ///
  /// - Throws: ``ClientError/accountExists(email:providers:updated:)``,
  ///   ``ClientError/credentialInUse(updated:email:code:)``, ``ClientError/nonce(detail:)``,
  ///   ``ClientError/consentRequired(joins:updated:)``; ``ClientError/cancelled`` also where somebody
  ///   signed out, or in, meanwhile; ``ClientError/store(_:)`` where the session can't be kept. In
  ///   every case whoever was signed in still is.
  @discardableResult
  @concurrent public func signIn(with credential: Credential, consent: Consent? = nil)
    async throws(ClientError) -> SignInResult
  {
    switch try await core.signIn(with: credential, asking: false, consent: consent) {
    case .signedIn(let result): return result
    case .newAccount: throw .badAnswer(detail: "The server asks about a new account unasked.")
    }
  }

  /// Nobody new gets an account before they were asked.
  ///
  /// Passwords and mailed links aren't asked about: a password is an account's, and who follows a
  /// link wanted to sign in.
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

  /// An anonymous session that exists is kept and returned.
  @discardableResult
  @concurrent public func signInAnonymously() async throws(ClientError) -> SignInResult {
    try core.load()
    if let user = currentUser, user.snapshot.isAnonymous {
      return SignInResult(
        user: user, snapshot: user.snapshot, provider: .anonymous, isNewUser: false)
    }
    let call = SignUpCall()
    return try await core.signIn(.anonymous) { (api) throws(CallError) in
      NewableSignIn(tokens: try await api.send(call), isNewUser: true)
    }
  }

  /// - Parameter token: Made by the app's back end, good for an hour at most.
  @discardableResult
  @concurrent public func signIn(withCustomToken token: String) async throws(ClientError)
    -> SignInResult
  {
    let call = SignInWithCustomTokenCall(token: token)
    return try await core.signIn(.custom) { (api) throws(CallError) in try await api.send(call) }
  }

  /// Makes an account with a password and signs in to it.
  ///
  /// - Throws: ``ClientError/credentialInUse(updated:email:code:)`` with `EMAIL_EXISTS`;
  ///   ``ClientError/server(_:)`` with `WEAK_PASSWORD`, `INVALID_EMAIL`, …
  @discardableResult
  @concurrent public func createUser(email: String, password: String) async throws(ClientError)
    -> SignInResult
  {
    let call = SignUpCall(email: email, password: password)
    return try await core.signIn(.password, email: email) { (api) throws(CallError) in
      NewableSignIn(tokens: try await api.send(call), isNewUser: true)
    }
  }

  /// Has the server make the nonce of the next sign-in, for a project that takes no others.
  @concurrent public func issueNonce() async throws(ClientError) -> ServerNonce {
    do { return try await core.api.send(NonceCall()) } catch { throw ClientError(error) }
  }
}
