package import GatehouseModel

/// What became of signing in or linking with an outside identity.
package enum IdentitySignIn: Sendable {
  case signedIn(SignedIn, pendingToken: String)
  /// An account has the identity's address, and this sign-in may not decide that it is the same
  /// person's. Nothing was changed.
  case needsConfirmation(Confirmation)
  /// Linking failed because of another account. Nothing was changed, and the pending token signs in
  /// to that account without a second sheet.
  case conflict(AccountsError, pendingToken: String)

  package struct Confirmation: Sendable {
    /// The account that has the address.
    package let account: Account
    /// The account's providers, without password and phone.
    package let verifiedProviders: [ProviderID]
    package let pendingToken: String
    /// The account has another identity of the same provider.
    package let isRecycled: Bool
  }
}

/// What the request asks for beyond signing in.
package struct IdentitySignInOptions: Sendable {
  /// False only for a re-authentication: an unknown identity then creates and joins nothing.
  package var mayCreate: Bool
  /// The ID token of the account to which the identity is to be linked.
  package var linkingIDToken: String?

  package init(mayCreate: Bool = true, linkingIDToken: String? = nil) {
    self.mayCreate = mayCreate
    self.linkingIDToken = linkingIDToken
  }
}
