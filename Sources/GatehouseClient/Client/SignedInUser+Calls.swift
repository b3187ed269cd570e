/// What the person's calls have in common: a good ID token, and what a refusal means for the
/// session.
extension SignedInUser {
  func call<Call: ServerCall>(
    email: String? = nil, _ make: (_ idToken: String) -> Call
  ) async throws(ClientError) -> Call.Answer {
    let token = try await idToken()
    do {
      return try await core.api.send(make(token.token))
    } catch {
      throw failure(error, sent: token, email: email)
    }
  }

  func update(_ change: UpdateCall.Change, email: String? = nil) async throws(ClientError) {
    let tokens = try await call(email: email) { UpdateCall(idToken: $0, change: change) }
    try await hold(tokens ?? held.tokens)
  }

  /// Takes new tokens, and asks for what they changed. Where that answer is lost, what was known is
  /// put together with what the token says.
  func hold(_ tokens: HeldTokens) async throws(ClientError) {
    _ = core.update(self) { $0.tokens = tokens }
    do {
      try take(try await core.api.send(LookupCall(idToken: tokens.idToken.token)))
    } catch let error as CallError {
      switch error {
      case .network, .badAnswer, .cancelled:
        let claimed = UserSnapshot(claims: tokens.idToken)
        _ = core.update(self) { $0.snapshot.add(claimed) }
      case .refused: throw failure(error, sent: tokens.idToken)
      }
    } catch let error as ClientError {
      throw error
    } catch {
      throw .cancelled
    }
  }

  func take(_ account: AccountInfo) throws(ClientError) {
    guard account.uid == uid else {
      throw .badAnswer(detail: "The server answered about another person.")
    }
    _ = core.update(self) { $0.snapshot = UserSnapshot(account) }
  }

  /// - Throws: ``ClientError/userMismatch`` for tokens of somebody else.
  func checked(_ tokens: HeldTokens, uid other: String? = nil) throws(ClientError) -> HeldTokens {
    guard tokens.idToken.subject == uid, other ?? uid == uid else { throw .userMismatch }
    return tokens
  }

  /// What `error` means, after the client was signed out if it means that.
  ///
  /// - Parameter token: The one that was sent. Where the session has another by now, its refusal
  ///   signs nobody out.
  func failure(_ error: CallError, sent token: IDToken, email: String? = nil) -> ClientError {
    if case .refused(let refusal, _, _) = error,
      let end = SessionEnd(refusalCode: refusal.code)
    {
      _ = core.end(self, refused: token, cause: .sessionEnded(end))
      return .sessionEnded(end)
    }
    return ClientError(error, context(email: email))
  }

  func context(email: String? = nil) -> RefusalContext {
    RefusalContext(providers: snapshot.providers.map(\.provider), email: email)
  }
}

extension UserSnapshot {
  /// What a token says beside what was known: nothing is taken away by it.
  fileprivate mutating func add(_ claimed: UserSnapshot) {
    isAnonymous = claimed.isAnonymous
    email = claimed.email ?? email
    isEmailVerified = claimed.isEmailVerified
    displayName = claimed.displayName ?? displayName
    photoURL = claimed.photoURL ?? photoURL
    phoneNumber = claimed.phoneNumber ?? phoneNumber
    for provider in claimed.providers where self.provider(provider.provider) == nil {
      providers.append(provider)
    }
  }
}
