/// How a sign-in by an ``AccountManager`` ended.
public enum SignInAnswer: Sendable {
  case signedIn(SignInResult)
  /// With ``NewAccountRule/ask`` alone: nobody has this identity yet. Ask the person, then go on by
  /// one of the question's two ways. No account was made.
  case newAccount(NewAccountQuestion)
  /// The person closed the sheet, or didn't agree. Nothing happened, and there is nothing to say.
  case cancelled

  public var result: SignInResult? {
    if case .signedIn(let result) = self { result } else { nil }
  }
}

/// What becomes of an identity that nobody has.
public enum NewAccountRule: Sendable, Hashable {
  case create
  /// Ask first, so that nobody makes a second account by accident.
  case ask
}

/// "Are you new, or do you have an account?" The sheet's answer is kept by the server for ten
/// minutes, so neither way shows it again.
public struct NewAccountQuestion: Sendable {
  /// By which the person wants to sign in.
  public let provider: Provider
  /// Their address, as the provider says.
  public let email: String?
  let manager: AccountManager
  let offer: NewAccountOffer

  /// "I'm new": makes the account.
  ///
  /// - Parameter prompt: As of ``AccountManager/signIn(with:ifNew:asking:)``.
  public func `continue`(asking prompt: ConsentPrompt? = nil)
    async throws(AccountError) -> SignInAnswer
  {
    let (manager, offer) = (manager, offer)
    return try await manager.signIn(pending: offer, asking: prompt)
  }

  /// "I have an account": signs in to it by `method`, then links the new identity to it.
  ///
  /// If the second half fails, the person is signed in to their account without the new identity.
  public func linkToExisting(by method: SignInMethod, asking prompt: ConsentPrompt? = nil)
    async throws(AccountError) -> SignInAnswer
  {
    let (manager, offer) = (manager, offer)
    return try await manager.link(offer.pending, toAccountBy: method, asking: prompt)
  }
}
