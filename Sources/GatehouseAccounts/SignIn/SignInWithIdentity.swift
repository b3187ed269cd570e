package import Foundation
package import GatehouseModel

extension AccountsService {
  /// Signs in with an identity that a provider's token just proved, or links it.
  ///
  /// - Parameter nonce: Of the same request as the provider's token.
  /// - Returns: The outcome and the identity, with the name that came earlier where the provider tells
  ///   it once: see ``keep(_:of:now:)``.
  /// - Throws: ``AccountsError/duplicateCredential`` for a token that was used before,
  ///   ``AccountsError/nonce(_:)`` for a nonce that was, ``AccountsError/consentRequired(_:)``,
  ///   ``AccountsError/userDisabled``, ``AccountsError/userNotFound`` where nothing may be created,
  ///   ``AccountsError/adminOnlyOperation`` where the project refuses sign-up,
  ///   ``AccountsError/providerAlreadyLinked``, ``AccountsError/issuerChanged``,
  ///   ``AccountsError/credentialTooOld`` where the project wants a recent sign-in for linking,
  ///   ``AccountsError/tooManyAttempts``, and what ``caller(ofIDToken:in:now:)`` throws.
  package func signIn(
    with identity: ExternalIdentity, nonce: AcceptedNonce, options: IdentitySignInOptions,
    in project: Project, now: Date
  ) async throws -> (IdentitySignIn, ExternalIdentity) {
    try await signIn(
      with: PendingSignIn(identity: identity, verifiedAt: now), nonce: nonce, isRepeated: false,
      options: options, in: project, now: now)
  }

  /// Repeats a sign-in or link with what a pending token holds; see ``PendingTokenCodec``.
  ///
  /// - Parameter provider: Whose the request says that it is; nil if it doesn't say.
  /// - Returns: The outcome and the identity that the token held.
  /// - Throws: ``AccountsError/invalidPendingToken`` if it is forged, expired, another provider's than
  ///   the request says, or was issued before the account's tokens were revoked or the identity left its account;
  ///   ``AccountsError/providerDisabled``; ``AccountsError/consentRequired(_:)``.
  package func signIn(
    withPendingToken token: String, of provider: String?, options: IdentitySignInOptions,
    in project: Project, now: Date
  ) async throws -> (IdentitySignIn, ExternalIdentity) {
    let pending = try pendingTokens.pending(from: token, project: project.id, now: now)
    // An app that believes to act for one provider isn't signed in by another's word.
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
    let linking = try options.linkingIDToken.map {
      try sessions.verify($0, in: project, now: now)
    }
    let (committed, completed) = try await store.write { transaction in
      let pending = try transaction.withArrivedName(pending, in: project.id, now: now)
      let work = IdentitySignInTransaction(
        transaction: transaction, project: project, pending: pending, isRepeated: isRepeated,
        options: options, now: now)
      try work.spend(nonce)
      let outcome = try work.run(linkingTo: linking)
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
