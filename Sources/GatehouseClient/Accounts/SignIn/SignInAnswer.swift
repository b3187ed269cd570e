/// How a sign-in with an ``AccountManager`` ended.
public enum SignInAnswer: Sendable {
  case signedIn(SignInResult)
  /// Only with ``NewAccountRule/ask``: no account has this identity yet, and none was created. Ask
  /// the user, then call one of the question's two functions.
  case newAccount(NewAccountQuestion)
  /// The user closed the sheet or didn't consent, or the task was cancelled. No message is needed.
  case cancelled

  public var result: SignInResult? {
    if case .signedIn(let result) = self { result } else { nil }
  }
}

/// What to do with an identity that no account has.
public enum NewAccountRule: Sendable, Hashable {
  case create
  /// Ask first, so that users don't create a second account by accident.
  case ask
}

/// "Are you new, or do you have an account?" A pending token replaces the sheet's response for ten
/// minutes, so neither choice shows the sheet again.
public struct NewAccountQuestion: Sendable {
  /// The provider that the user wants to sign in with.
  public let provider: Provider
  /// The user's email address, as the provider reports it.
  public let email: String?
  let manager: AccountManager
  let offer: NewAccountOffer

  /// "I'm new": creates the account.
  ///
  /// - Parameter prompt: See ``AccountManager/signIn(with:ifNew:asking:)``.
  public func `continue`(asking prompt: ConsentPrompt? = nil)
    async throws(AccountError) -> SignInAnswer
  {
    let (manager, offer) = (manager, offer)
    return try await manager.signIn(pending: offer, asking: prompt)
  }

  /// "I have an account": signs in to it with `method`, then links the new identity to it.
  ///
  /// If linking fails, the user is signed in to their account without the new identity.
  public func linkToExisting(by method: SignInMethod, asking prompt: ConsentPrompt? = nil)
    async throws(AccountError) -> SignInAnswer
  {
    let (manager, offer) = (manager, offer)
    return try await manager.link(offer.pending, toAccountBy: method, asking: prompt)
  }
}
