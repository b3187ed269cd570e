/// The result of a sign-in that asks before it creates an account.
public enum SignInOutcome: Sendable {
  case signedIn(SignInResult)
  /// No account has this identity yet. Ask the user, then continue with one of the offer's two
  /// functions.
  case newAccount(NewAccountOffer)
}

/// A sign-in that waits for the user's decision, for ten minutes at most. The provider's sheet
/// isn't shown again.
public struct NewAccountOffer: Sendable {
  public let provider: Provider
  public let email: String?
  let client: AuthClient
  let pending: IdentityProviderCredential

  /// "I'm new": creates the account.
  @discardableResult
  public func `continue`(consent: Consent? = nil) async throws(ClientError) -> SignInResult {
    try await client.signIn(with: .identityProvider(pending), consent: consent)
  }

  /// "I have an account": signs in to it with `credential`, then links this identity.
  ///
  /// - Throws: ``ClientError/secondFactorRequired(_:)``, whose resolver links the identity too.
  @discardableResult
  public func linkToExisting(_ credential: Credential, consent: Consent? = nil)
    async throws(ClientError) -> SignInResult
  {
    let existing: SignInResult
    do {
      existing = try await client.signIn(with: credential)
    } catch {
      throw error.linking(pending, consent: consent)
    }
    return try await existing.user.link(.identityProvider(pending), consent: consent)
  }
}
