package import GatehouseProtocol

/// The result of signing in or linking with an external identity.
package enum IdentitySignIn: Sendable {
  case signedIn(SignedIn, pendingToken: String)
  /// An account has the identity's address, and the server can't decide that both belong to the same
  /// user. No account was changed.
  case needsConfirmation(Confirmation)
  /// No account has the identity, and the request requires that the user is asked first. No account
  /// was created. With the pending token the app creates the account, or links the identity to the
  /// account to which the user signs in.
  case isNew(pendingToken: String)
  /// Linking failed: another account has the identity or its address, or this account has another
  /// identity of the provider. No account was changed. If another account has the identity, the app can
  /// sign in to that account with the pending token, without showing the provider's sheet again.
  case conflict(AccountsError, pendingToken: String)

  /// The user must agree first to join these parts. No account was changed. With the pending token and
  /// the consent the app repeats the request.
  case consentRequired([AccountPart], pendingToken: String)

  package struct Confirmation: Sendable {
    /// The account that has the address. Nil if the project protects addresses, because the caller
    /// hasn't shown that the address belongs to them.
    package let account: Account?
    /// The account's providers, without password and phone. Empty if the project protects
    /// addresses.
    package let verifiedProviders: [ProviderID]
    package let pendingToken: String
    /// The account has another identity of the same provider. False if the project protects
    /// addresses.
    package let isRecycled: Bool
  }
}

/// The options of a request to sign in or link.
package struct IdentitySignInOptions: Sendable {
  package var ifNew: IfNew
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

  package init(ifNew: IfNew = .create, linking: IDTokenFacts? = nil) {
    self.ifNew = ifNew
    self.linking = linking
  }
}

/// What to do with an identity that no account has. Doesn't apply if the request links the identity to
/// the account of an ID token. With ``create`` and ``ask``, an identity with a verified address still
/// joins or takes over the account that has this address.
package enum IfNew: Hashable, Sendable {
  case create
  /// ``IdentitySignIn/isNew(pendingToken:)`` in place of a new account.
  case ask
  /// Nothing is created, joined or taken over: the request fails. For a re-authentication.
  case refuse
}
