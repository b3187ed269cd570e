package import Foundation
package import GatehouseProtocol

extension AccountsService {
  /// Signs in with an identity that a provider's token just verified, or links it.
  ///
  /// - Parameter nonce: The nonce of the same request as the provider's token.
  /// - Returns: The outcome and the identity. If the provider sends the name only once, the identity
  ///   has the stored name: see ``arrive(_:keeping:now:)``.
  /// - Throws: ``AccountsError/duplicateCredential`` for a token that was used before,
  ///   ``AccountsError/nonce(_:)`` for a nonce that was used before,
  ///   ``AccountsError/consentRequired(_:)``, ``AccountsError/userDisabled``,
  ///   ``AccountsError/userNotFound`` if no account has the identity and ``IfNew/refuse`` is set,
  ///   ``AccountsError/adminOnlyOperation`` if the project refuses sign-up,
  ///   ``AccountsError/issuerChanged``, ``AccountsError/tooManyAttempts``,
  ///   ``AccountsError/blockedByFunction(_:)``, ``AccountsError/overloaded``, and
  ///   ``AccountsError/tokenExpired`` for a token from before the account's deletion was scheduled; for a
  ///   link also ``AccountsError/credentialTooOld`` if the project requires a recent sign-in, and what
  ///   ``currentUser(ofIDToken:in:now:)`` throws.
  package func signIn(
    with identity: ExternalIdentity, nonce: AcceptedNonce, options: IdentitySignInOptions,
    in project: Project, now: Date
  ) async throws -> (IdentitySignIn, ExternalIdentity) {
    try await signIn(
      with: PendingSignIn(identity: identity, verifiedAt: now), nonce: nonce, isRepeated: false,
      options: options, in: project, now: now)
  }

  /// Repeats a sign-in or link with the identity in a pending token; see ``PendingTokenCodec``.
  ///
  /// - Parameter provider: The provider that the request names; nil if it names none.
  /// - Returns: The outcome, and the identity in the token.
  /// - Throws: ``AccountsError/invalidPendingToken`` if the token is forged or expired, if it belongs
  ///   to another provider than the request names, or if the account's tokens were revoked or the
  ///   identity was removed from its account after the token was issued;
  ///   ``AccountsError/providerDisabled``; and what ``signIn(with:nonce:options:in:now:)`` throws, except
  ///   for used tokens and nonces.
  package func signIn(
    withPendingToken token: String, of provider: String?, options: IdentitySignInOptions,
    in project: Project, now: Date
  ) async throws -> (IdentitySignIn, ExternalIdentity) {
    let pending = try pendingTokens.pending(from: token, project: project.id, now: now)
    // If an app names one provider, a token of another one must not sign its user in.
    guard provider?.hasSameBytes(as: pending.identity.provider.text) ?? true else {
      throw AccountsError.invalidPendingToken
    }
    return try await signIn(
      with: pending, nonce: .spentAlready, isRepeated: true, options: options, in: project,
      now: now)
  }

  private func signIn(
    with pending: PendingSignIn, nonce: AcceptedNonce, isRepeated: Bool,
    options: IdentitySignInOptions, in project: Project, now: Date
  ) async throws -> (IdentitySignIn, ExternalIdentity) {
    let notices = notices
    let context = BlockingContext(
      method: pending.identity.provider.text, client: options.client, language: options.language,
      identity: pending.identity)
    let (committed, completed) = try await write(asking: context, in: project, now: now) {
      transaction, gate in
      try transaction.foresee(
        ForeseenReads(
          identity: (pending.identity.provider, pending.identity.subject),
          device: SessionDevice(EventOrigin.current.source).digest,
          spent: pending.identity.use.repeated),
        in: project.id)
      let pending = try transaction.withArrivedName(pending, in: project.id, now: now)
      let work = IdentitySignInTransaction(
        transaction: transaction, project: project, pending: pending, isRepeated: isRepeated,
        options: options, notices: notices, gate: gate, now: now)
      try work.spend(nonce)
      let outcome = try work.run(linkingTo: options.linking)
      if case .signedIn(let account, _, _) = outcome {
        try transaction.keepProviderTokens(
          of: pending.identity, code: options.authorizationCode, for: account.uid, in: project,
          now: now)
      }
      if case .signedIn = outcome, isRepeated || pending.identity.isNameSentOnce {
        try transaction.forgetArrivedName(of: pending.identity, in: project.id)
      }
      return (outcome, pending)
    }
    return (try answer(committed, completed, in: project, now: now), completed.identity)
  }

  private func answer(
    _ committed: IdentitySignInTransaction.Outcome, _ pending: PendingSignIn, in project: Project,
    now: Date
  ) throws -> IdentitySignIn {
    let token = try pendingTokens.token(for: pending, project: project.id)
    switch committed {
    case .signedIn(let account, let session, let isNew):
      let tokens = try sessions.tokens(for: account, session, in: project, now: now)
      return .signedIn(
        SignedIn(account: account, session: session, tokens: tokens, isNewUser: isNew),
        pendingToken: token)
    case .disabled: throw AccountsError.userDisabled
    case .needsConfirmation(let account, let isRecycled):
      let isTold = !project.policies.protectsEmails
      return .needsConfirmation(
        IdentitySignIn.Confirmation(
          account: isTold ? account : nil,
          verifiedProviders: isTold ? account.identities.map(\.provider) : [],
          pendingToken: token, isRecycled: isTold && isRecycled))
    case .isNew:
      return .isNew(pendingToken: token)
    case .consentRequired(let parts):
      return .consentRequired(parts, pendingToken: token)
    case .conflict(let error):
      return .conflict(error, pendingToken: token)
    }
  }
}

extension ProofUse {
  /// What a sign-in looks for among the used tokens.
  fileprivate var repeated: [SingleUseToken] {
    if case .repeatable(let use) = self { [use] } else { [] }
  }
}
