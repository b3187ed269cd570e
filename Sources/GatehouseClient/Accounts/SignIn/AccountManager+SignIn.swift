extension AccountManager {
  /// Signs in with `method`. Its sheet is shown once.
  ///
  /// If the current user is anonymous, the anonymous account is left behind. To keep it, use
  /// ``link(_:asking:)`` instead.
  ///
  /// - Parameter prompt: The prompt of the page that has the button. It asks for consent if the
  ///   manager has no ``consentPrompt``.
  /// - Throws: ``AccountError``. Among the client's errors are
  ///   ``ClientError/accountExists(email:providers:updated:)`` if the user has to sign in to an
  ///   existing account first (then call ``link(_:toAccountBy:asking:)``), and
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

  /// Adds another way to sign in to the signed-in account. An anonymous account becomes a permanent
  /// one and keeps its uid.
  ///
  /// - Throws: ``AccountError``. Among the client's errors is
  ///   ``ClientError/credentialInUse(updated:email:code:)`` if another account has this identity.
  public func link(_ method: SignInMethod, asking prompt: ConsentPrompt? = nil)
    async throws(AccountError) -> SignInAnswer
  {
    guard let user = client.currentUser else { throw .client(.notSignedIn) }
    return try await answering { () async throws(AccountError) -> SignInAnswer in
      let credential = try await self.credential(by: method)
      return .signedIn(try await self.link(credential, to: user, asking: prompt))
    }
  }

  /// Signs in with `method`, and then links `waiting`: the updated credential of
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
        do throws(ClientError) {
          return try await client.signIn(with: credential, consent: consent)
        } catch {
          throw error.linking(waiting, consent: nil)
        }
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
    return try await consenting(credential, asking: prompt) {
      credential, consent throws(ClientError) in
      // Another user may have signed in while a sheet or the prompt was open.
      guard client.currentUser === user else { throw .notSignedIn }
      return try await user.link(credential, consent: consent)
    }
  }

  /// Runs one flow at a time. A cancellation becomes ``SignInAnswer/cancelled``.
  private func answering(_ body: () async throws(AccountError) -> SignInAnswer)
    async throws(AccountError) -> SignInAnswer
  {
    do {
      return try await inTurn(or: .busy, body)
    } catch {
      if error.isCancellation { return .cancelled }
      throw error
    }
  }
}
