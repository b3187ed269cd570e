package import Foundation
import GatehouseProtocol
import GatehouseTokens

/// A request to sign in with an identity that was verified, or to link it.
package struct IdentitySignIn: Sendable {
  /// What shows that the identity is the user's.
  package enum Proof: Sendable {
    /// A provider's token or code was verified for this request, with its nonce.
    case verified(AcceptedNonce)
    /// A pending token, written when the identity was verified. It doesn't renew that. The identity may
    /// be stale, and its nonce was spent when the token was issued.
    case pendingToken(verifiedAt: Date)
  }

  let identity: ExternalIdentity
  let proof: Proof
  let project: Project
  let now: Date
  /// The client address. Responses that reveal something about other accounts are rate-limited for
  /// each client address.
  let client: ClientAddress
  let ifNew: IfNew
  /// The claims of the ID token of the account to which the identity is to be linked; see
  /// ``AccountsService/facts(ofIDToken:in:now:)``.
  let linking: IDTokenFacts?
  /// What the user agreed to.
  let consent: GivenConsent?
  /// Whether the response to a missing consent may be a pending token. If so, the provider's token is
  /// used up. Otherwise ``AccountsError/consentRequired(_:)`` is thrown, and the provider's token
  /// stays usable.
  let takesPendingToken: Bool
  /// The authorization code that came beside an ID token, to be exchanged after the commit.
  let authorizationCode: AuthorizationCode?
  /// The language that the request names, as a BCP 47 tag.
  let language: String?

  package init(
    _ identity: ExternalIdentity, _ proof: Proof, in project: Project, now: Date,
    from client: ClientAddress, ifNew: IfNew = .create, linking: IDTokenFacts? = nil,
    consent: GivenConsent? = nil, takesPendingToken: Bool = false,
    authorizationCode: AuthorizationCode? = nil, language: String? = nil
  ) {
    self.identity = identity
    self.proof = proof
    self.project = project
    self.now = now
    self.client = client
    self.ifNew = ifNew
    self.linking = linking
    self.consent = consent
    self.takesPendingToken = takesPendingToken
    self.authorizationCode = authorizationCode
    self.language = language
  }

  /// When the provider's token was presented. Kept to the millisecond.
  var verifiedAt: Date {
    switch proof {
    case .verified: now.wholeMilliseconds
    case .pendingToken(let verifiedAt): verifiedAt
    }
  }

  package enum Outcome: Sendable {
    case ended(SignInResult)
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
    /// As in the request. If the provider sends the name only once, with the stored name.
    package let identity: ExternalIdentity
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
  /// The identity in a pending token, to repeat a sign-in or a link; see ``PendingTokenCodec``.
  ///
  /// - Parameter provider: The provider that the request names; nil if it names none.
  /// - Throws: ``AccountsError/invalidPendingToken`` if the token is forged or expired, or belongs to
  ///   another provider than the request names.
  package func identity(
    inPendingToken token: String, of provider: String?, in project: Project, now: Date
  ) throws(AccountsError) -> (ExternalIdentity, IdentitySignIn.Proof) {
    let (identity, verifiedAt) = try pendingTokens.identity(
      in: token, project: project.id, now: now)
    // If an app names one provider, a token of another one must not sign its user in.
    guard provider?.hasSameBytes(as: identity.provider.text) ?? true else {
      throw .invalidPendingToken
    }
    return (identity, .pendingToken(verifiedAt: verifiedAt))
  }

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
    let (ending, identity) = try await write(asking: context, in: project, now: now) {
      transaction, gate in
      var work = IdentitySignInTransaction(request, transaction, notices, gate)
      return (try work.run(), work.identity)
    }
    let outcome: IdentitySignIn.Outcome
    switch ending {
    case .ended(let ending): outcome = .ended(try result(of: ending, in: project, now: now))
    case .noSession(let other): outcome = other
    }
    return IdentitySignIn.Result(
      outcome: outcome, identity: identity,
      pendingToken: try pendingTokens.token(
        for: identity, verifiedAt: request.verifiedAt, project: project.id))
  }
}
