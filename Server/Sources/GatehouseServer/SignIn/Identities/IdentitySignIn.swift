package import Foundation
package import GatehouseProtocol
import GatehouseTokens

/// A sign-in, or a link, with an identity that was verified: what the request brings.
package struct IdentitySignIn: Sendable {
  /// If the provider sends the name only once, ``AccountsService/signIn(_:)`` adds the stored name.
  package internal(set) var identity: ExternalIdentity
  /// When the provider's token was presented. Using a pending token doesn't renew it.
  let verifiedAt: Date
  /// The nonce of the same request as the provider's token. Nil for an identity of a pending token: it
  /// may be stale, and its nonce was spent when the pending token was issued.
  let nonce: AcceptedNonce?
  let project: Project
  let now: Date

  package var ifNew = IfNew.create
  /// The claims of the ID token of the account to which the identity is to be linked; see
  /// ``AccountsService/facts(ofIDToken:in:now:)``.
  package var linking: IDTokenFacts?
  /// What the user agreed to.
  package var consent: GivenConsent?
  /// The client address. Responses that reveal something about other accounts are rate-limited for
  /// each client address.
  package var client = ClientAddress.unknown
  /// Whether the response to a missing consent may be a pending token. If so, the provider's token is
  /// used up. Otherwise ``AccountsError/consentRequired(_:)`` is thrown, and the provider's token
  /// stays usable.
  package var takesPendingToken = false
  /// The authorization code that came beside an ID token, to be exchanged after the commit.
  package var authorizationCode: AuthorizationCode?
  /// The language that the request names, as a BCP 47 tag.
  package var language: String?

  /// With an identity that a provider's token just verified.
  package init(
    _ identity: ExternalIdentity, nonce: AcceptedNonce, in project: Project, now: Date
  ) {
    self.identity = identity
    self.nonce = nonce
    self.project = project
    self.now = now
    verifiedAt = now.wholeMilliseconds
  }

  /// Repeats a sign-in or link with the identity in a pending token; see ``PendingTokenCodec``.
  ///
  /// - Parameter provider: The provider that the request names; nil if it names none.
  /// - Throws: ``AccountsError/invalidPendingToken`` if the token is forged or expired, or belongs to
  ///   another provider than the request names.
  package init(
    pendingToken: String, of provider: String?, _ accounts: AccountsService, in project: Project,
    now: Date
  ) throws(AccountsError) {
    (identity, verifiedAt) = try accounts.pendingTokens.identity(
      in: pendingToken, project: project.id, now: now)
    // If an app names one provider, a token of another one must not sign its user in.
    guard provider?.hasSameBytes(as: identity.provider.text) ?? true else {
      throw .invalidPendingToken
    }
    nonce = nil
    self.project = project
    self.now = now
  }

  package enum Outcome: Sendable {
    case signedIn(Account, Session, isNew: Bool)
    /// An account has the identity's address, and the server can't decide that both belong to the same
    /// user. No account was changed.
    ///
    /// - The account is nil if the project protects addresses, because the caller hasn't shown that the
    ///   address belongs to them.
    /// - `isRecycled`: The account has another identity of the same provider. False if the project
    ///   protects addresses.
    case needsConfirmation(Account?, isRecycled: Bool)
    /// No account has the identity, and the request requires that the user is asked first. No account
    /// was created. With the pending token the app creates the account, or links the identity to the
    /// account to which the user signs in.
    case isNew
    /// Linking failed: another account has the identity or its address, or this account has another
    /// identity of the provider. No account was changed. If another account has the identity, the app
    /// can sign in to that account with the pending token, without showing the provider's sheet again.
    case conflict(AccountsError)
    /// The user must agree first to join these parts. No account was changed. With the pending token
    /// and the consent the app repeats the request.
    case consentRequired([AccountPart])
  }

  package struct Result: Sendable {
    package let outcome: Outcome
    /// As in the request, or with the stored name.
    package let identity: ExternalIdentity
    /// Nil unless the user is signed in.
    package let tokens: SessionTokens?
    package let pendingToken: String
  }
}

/// What to do with an identity that no account has. Doesn't apply if the request links the identity to
/// the account of an ID token. With ``create`` and ``ask``, an identity with a verified address still
/// joins or takes over the account that has this address.
package enum IfNew: Hashable, Sendable {
  case create
  /// ``IdentitySignIn/Outcome/isNew`` in place of a new account.
  case ask
  /// Nothing is created, joined or taken over: the request fails. For a re-authentication.
  case refuse
}

extension AccountsService {
  /// Signs in with the identity, or links it.
  ///
  /// - Throws: ``AccountsError/duplicateCredential`` for a token that was used before,
  ///   ``AccountsError/nonce(_:)`` for a nonce that was used before,
  ///   ``AccountsError/consentRequired(_:)``, ``AccountsError/userDisabled``,
  ///   ``AccountsError/userNotFound`` if no account has the identity and ``IfNew/refuse`` is set,
  ///   ``AccountsError/adminOnlyOperation`` if the project refuses sign-up,
  ///   ``AccountsError/issuerChanged``, ``AccountsError/tooManyAttempts``,
  ///   ``AccountsError/blockedByFunction(_:)``, ``AccountsError/overloaded``, and
  ///   ``AccountsError/tokenExpired`` for a token from before the account's deletion was scheduled; for a
  ///   link also ``AccountsError/credentialTooOld`` if the project requires a recent sign-in, and what
  ///   ``currentUser(ofIDToken:in:now:)`` throws; for a pending token also
  ///   ``AccountsError/invalidPendingToken`` if the account's tokens were revoked or the identity was
  ///   removed from its account after the token was issued, and ``AccountsError/providerDisabled``.
  package func signIn(_ request: IdentitySignIn) async throws -> IdentitySignIn.Result {
    let (project, now, notices) = (request.project, request.now, notices)
    let context = BlockingContext(
      method: request.identity.provider.text, client: request.client, language: request.language,
      identity: request.identity)
    let (outcome, identity) = try await write(asking: context, in: project, now: now) {
      transaction, gate in
      var work = IdentitySignInTransaction(request, transaction, notices, gate)
      return (try work.run(), work.identity)
    }
    guard let outcome else { throw AccountsError.userDisabled }
    var tokens: SessionTokens?
    if case .signedIn(let account, let session, _) = outcome {
      tokens = try sessions.tokens(for: account, session, in: project, now: now)
    }
    return IdentitySignIn.Result(
      outcome: outcome, identity: identity, tokens: tokens,
      pendingToken: try pendingTokens.token(
        for: identity, verifiedAt: request.verifiedAt, project: project.id))
  }
}
