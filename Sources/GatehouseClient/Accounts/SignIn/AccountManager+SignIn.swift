extension AccountManager {
  /// Signs in by `method`, whose sheet is shown once.
  ///
  /// An anonymous account that is signed in is left for the other one; to keep it, use
  /// ``link(_:asking:)``.
  ///
  /// - Parameter prompt: Asks for consent where the app gave the manager no ``consentPrompt`` of its
  ///   own: the page that the button is on.
  /// - Throws: ``AccountError``. Of the client's: ``ClientError/accountExists(email:providers:updated:)``
  ///   where the person has to enter an account first (then ``link(_:toAccountBy:asking:)``), and
  ///   ``ClientError/nonce(detail:)``.
  public func signIn(
    with method: SignInMethod, ifNew rule: NewAccountRule = .create,
    asking prompt: ConsentPrompt? = nil
  ) async throws(AccountError) -> SignInAnswer {
    try await answering { () async throws(AccountError) -> SignInAnswer in
      let credential = try await self.credential(by: method)
      let client = self.client
      switch rule {
      case .create:
        return .signedIn(
          try await self.consenting(credential, asking: prompt) {
            credential, consent throws(ClientError) in
            try await client.signIn(with: credential, consent: consent)
          })
      case .ask:
        let outcome = try await self.consenting(credential, asking: prompt) {
          credential, consent throws(ClientError) in
          try await client.signInAsking(with: credential, consent: consent)
        }
        return switch outcome {
        case .signedIn(let result): .signedIn(result)
        case .newAccount(let offer):
          .newAccount(
            NewAccountQuestion(
              provider: offer.provider, email: offer.email, manager: self, offer: offer))
        }
      }
    }
  }

  /// Adds another way to sign in to the account that is signed in. An anonymous account becomes the
  /// person's own so, and keeps its uid.
  ///
  /// - Throws: ``AccountError``. Of the client's: ``ClientError/credentialInUse(updated:email:code:)``
  ///   where another account has this identity.
  public func link(_ method: SignInMethod, asking prompt: ConsentPrompt? = nil)
    async throws(AccountError) -> SignInAnswer
  {
    guard let user = client.currentUser else { throw .client(.notSignedIn) }
    return try await answering { () async throws(AccountError) -> SignInAnswer in
      let credential = try await self.credential(by: method)
      return .signedIn(try await self.link(credential, to: user, asking: prompt))
    }
  }

  /// Signs in by `method`, and links a credential that waits: that of an
  /// ``ClientError/accountExists(email:providers:updated:)``.
  public func link(
    _ waiting: IdentityProviderCredential, toAccountBy method: SignInMethod,
    asking prompt: ConsentPrompt? = nil
  ) async throws(AccountError) -> SignInAnswer {
    try await answering { () async throws(AccountError) -> SignInAnswer in
      let credential = try await self.credential(by: method)
      let client = self.client
      let existing = try await self.consenting(credential, asking: prompt) {
        credential, consent throws(ClientError) in
        try await client.signIn(with: credential, consent: consent)
      }
      return .signedIn(
        try await self.link(.identityProvider(waiting), to: existing.user, asking: prompt))
    }
  }

  func signIn(pending offer: NewAccountOffer, asking prompt: ConsentPrompt?)
    async throws(AccountError) -> SignInAnswer
  {
    try await answering { () async throws(AccountError) -> SignInAnswer in
      .signedIn(
        try await self.consenting(.identityProvider(offer.pending), asking: prompt) {
          credential, consent throws(ClientError) in
          try await self.client.signIn(with: credential, consent: consent)
        })
    }
  }

  private func link(
    _ credential: Credential, to user: SignedInUser, asking prompt: ConsentPrompt?
  ) async throws(AccountError) -> SignInResult {
    let client = self.client
    let result = try await consenting(credential, asking: prompt) {
      credential, consent throws(ClientError) in
      // Somebody else may have signed in while a sheet or the prompt was open.
      guard client.currentUser === user else { throw .notSignedIn }
      return try await user.link(credential, consent: consent)
    }
    // Whatever was revoked before, this is a new agreement.
    forgetRevocation(of: credential.provider, for: user.uid)
    return result
  }

  /// One flow at a time, and a cancelled one is an answer.
  private func answering(_ body: () async throws(AccountError) -> SignInAnswer)
    async throws(AccountError) -> SignInAnswer
  {
    do {
      return try await turn.take(or: .busy, body)
    } catch {
      if error.isCancellation { return .cancelled }
      throw error
    }
  }
}
