package import GatehouseModel

/// What became of signing in or linking with an outside identity.
package enum IdentitySignIn: Sendable {
  case signedIn(SignedIn, pendingToken: String)
  /// An account has the identity's address, and this sign-in may not decide that it is the same
  /// person's. Nothing was changed.
  case needsConfirmation(Confirmation)
  /// Nobody has the identity, and the request wants the person asked first. Nothing was made: the
  /// pending token creates the account, or links the identity to the one that the person names.
  case isNew(pendingToken: String)
  /// Linking failed because of another account. Nothing was changed, and the pending token signs in
  /// to that account without a second sheet.
  case conflict(AccountsError, pendingToken: String)

  /// The person has to agree first that these come together. Nothing was changed, and the pending
  /// token goes on with the consent.
  case consentRequired([AccountPart], pendingToken: String)

  package struct Confirmation: Sendable {
    /// The account that has the address. Nil where the project protects addresses: whoever asserts
    /// one hasn't shown that it is theirs.
    package let account: Account?
    /// The account's providers, without password and phone. Empty where the project protects
    /// addresses.
    package let verifiedProviders: [ProviderID]
    package let pendingToken: String
    /// The account has another identity of the same provider. Not told where the project protects
    /// addresses.
    package let isRecycled: Bool
  }
}

/// What the request asks for beyond signing in.
package struct IdentitySignInOptions: Sendable {
  package var ifNew: IfNew
  /// Of the ID token of the account to which the identity is to be linked; see
  /// ``AccountsService/facts(ofIDToken:in:now:)``.
  package var linking: IDTokenFacts?
  /// What the person agreed to.
  package var consent: GivenConsent?
  /// Who asks: what an answer tells of other accounts is rate-limited by it.
  package var client = ClientAddress.unknown
  /// The answer to a missing consent may be a pending token, and the provider's token is then used
  /// up. Otherwise it is ``AccountsError/consentRequired(_:)``, which leaves that as it was.
  package var takesPendingToken = false

  package init(ifNew: IfNew = .create, linking: IDTokenFacts? = nil) {
    self.ifNew = ifNew
    self.linking = linking
  }
}

/// What becomes of an identity that no account has. Says nothing where one is linked to the account
/// of an ID token, and changes nothing about whose account a verified address is.
package enum IfNew: Hashable, Sendable {
  case create
  /// ``IdentitySignIn/isNew(pendingToken:)`` in place of a new account.
  case ask
  /// Nothing is created or joined: a re-authentication.
  case refuse
}
