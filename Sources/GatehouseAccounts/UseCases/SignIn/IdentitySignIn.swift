package import GatehouseModel

/// The result of signing in or linking with an external identity.
package enum IdentitySignIn: Sendable {
  case signedIn(SignedIn, pendingToken: String)
  /// An account has the identity's address, and this sign-in may not decide that both belong to the
  /// same user. Nothing was changed.
  case needsConfirmation(Confirmation)
  /// No account has the identity, and the request requires that the user is asked first. Nothing
  /// was created: with the pending token the app creates the account, or links the identity to the
  /// account that the user names.
  case isNew(pendingToken: String)
  /// Linking failed because of another account. Nothing was changed. With the pending token the app
  /// can sign in to that account without another sheet.
  case conflict(AccountsError, pendingToken: String)

  /// The user must agree first to join these parts. Nothing was changed. The pending token
  /// continues the request with the consent.
  case consentRequired([AccountPart], pendingToken: String)

  package struct Confirmation: Sendable {
    /// The account that has the address. Nil if the project protects addresses: the caller hasn't
    /// shown that the address is theirs.
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
  /// Of the ID token of the account to which the identity is to be linked; see
  /// ``AccountsService/facts(ofIDToken:in:now:)``.
  package var linking: IDTokenFacts?
  /// What the user agreed to.
  package var consent: GivenConsent?
  /// The client address: responses that reveal something about other accounts are rate-limited by
  /// it.
  package var client = ClientAddress.unknown
  /// Whether the response to a missing consent may be a pending token; the provider's token is then
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

/// What to do with an identity that no account has. It doesn't apply if the identity is linked to
/// the account of an ID token, and doesn't affect which account a verified address belongs to.
package enum IfNew: Hashable, Sendable {
  case create
  /// ``IdentitySignIn/isNew(pendingToken:)`` in place of a new account.
  case ask
  /// Nothing is created or joined: a re-authentication.
  case refuse
}
