/// How a sign-in that asks first went.
public enum SignInOutcome: Sendable {
  case signedIn(SignInResult)
  /// Nobody has this identity yet. Ask the person, then go on with one of the offer's two ways.
  case newAccount(NewAccountOffer)
}

/// A sign-in that waits for the person's answer. Ten minutes; no second sheet.
public struct NewAccountOffer: Sendable {
  public let provider: Provider
  public let email: String?
  let client: AuthClient
  let pending: IdentityProviderCredential

  /// "I'm new": makes the account.
  @discardableResult
  public func `continue`(consent: Consent? = nil) async throws(ClientError) -> SignInResult {
    try await client.signIn(with: .identityProvider(pending), consent: consent)
  }

  /// "I have an account": signs in to it with `credential`, then links this identity.
  @discardableResult
  public func linkToExisting(_ credential: Credential, consent: Consent? = nil)
    async throws(ClientError) -> SignInResult
  {
    let existing = try await client.signIn(with: credential)
    return try await existing.user.link(.identityProvider(pending), consent: consent)
  }
}
