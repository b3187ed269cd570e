/// A finished sign-in.
package struct SignedIn: Sendable {
  package let account: Account
  package let session: Session
  package let tokens: IssuedTokens
  /// The sign-in created the account.
  package let isNewUser: Bool
}

/// The tokens that a client gets after a sign-in or a refresh.
package struct IssuedTokens: Sendable {
  package let idToken: String
  package let refreshToken: String
  package let expiresInSeconds: Int
}
