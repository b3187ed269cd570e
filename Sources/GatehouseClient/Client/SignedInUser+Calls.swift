import GatehouseProtocol

/// The common part of a user's calls: they send a valid ID token, and a refusal may end the
/// session.
extension SignedInUser {
  /// Sends a request with the ID token.
  ///
  /// If the server refuses only the token, the session may continue: the server has discarded the key that
  /// signed the token, or the token has expired and this device's clock is wrong. Then the request is repeated
  /// with a new token. Only if the server refuses the refresh, or the new token, the session has ended.
  func call<Call: ServerCall>(
    email: String? = nil, _ make: (_ idToken: String) -> Call
  ) async throws(ClientError) -> Call.Answer {
    let token = try await idToken()
    let refusal: SessionEnd?
    do {
      return try await core.api.send(make(token.token))
    } catch {
      refusal = SessionEnd(ofRefusedToken: error)
      if refusal == nil {
        let failure = await failure(error, sent: token, email: email)
        // Refused because the token was replaced during the request: the session is still valid.
        guard case .sessionEnded = failure, core.isCurrent(self) else { throw failure }
      }
    }
    let newer: IDToken
    do throws(ClientError) {
      newer = try await refreshed(from: token, forcing: true)
    } catch .sessionEnded(.invalid) {
      // The response to the ID token says more.
      throw .sessionEnded(refusal ?? .invalid)
    }
    do {
      return try await core.api.send(make(newer.token))
    } catch {
      throw await failure(error, sent: newer, email: email)
    }
  }

  func update(_ change: UpdateCall.Change, email: String? = nil) async throws(ClientError) {
    guard change.endsSession else { return try await send(change, email: email) }
    try await endingSession { () async throws(ClientError) in
      try await send(change, email: email)
    }
  }

  private func send(_ change: UpdateCall.Change, email: String?) async throws(ClientError) {
    let tokens = try await call(email: email) { UpdateCall(idToken: $0, change: change) }
    _ = await core.update(self) { [self] session in
      noteProfileChange()
      if let tokens { session.tokens = tokens }
      session.snapshot.make(change)
    }
    try await refreshProfile()
  }

  /// Adopts the tokens of a link or a re-authentication, and their claims about the user.
  func hold(_ tokens: HeldTokens) async throws(ClientError) {
    let claimed = UserSnapshot(claims: tokens.idToken)
    _ = await core.update(self) { [self] session in
      noteProfileChange()
      session.tokens = tokens
      session.snapshot.add(claimed)
    }
    try await refreshProfile()
  }

  /// Reads the profile after the server changed it. The change is made even if this response is
  /// lost, so only the end of the session is an error.
  private func refreshProfile() async throws(ClientError) {
    var lookUp: UInt64 = 0
    let account: AccountInfo
    do {
      account = try await call { idToken in
        lookUp = beginLookUp()
        return LookupCall(idToken: idToken)
      }
    } catch .sessionEnded(let end) {
      throw .sessionEnded(end)
    } catch {
      return
    }
    // A later change reads the profile itself.
    _ = try await take(account, of: lookUp)
  }

  /// Holds the profile in the response to a look-up, unless the held one is newer.
  ///
  /// - Parameter lookUp: The number from ``beginLookUp()``.
  /// - Returns: False if the account changed after the look-up was sent. Then nothing was held.
  func take(_ account: AccountInfo, of lookUp: UInt64) async throws(ClientError) -> Bool {
    guard account.uid == uid else {
      throw .badAnswer(detail: "The server responded about another account.")
    }
    let isOutdated = Locked(false)
    _ = await core.update(self) { [self] session in
      let verdict = verdict(on: lookUp)
      if verdict == .newest { session.snapshot = UserSnapshot(account) }
      isOutdated.withLock { $0 = verdict == .outdated }
    }
    return !isOutdated.withLock { $0 }
  }

  /// - Throws: ``ClientError/userMismatch`` for tokens of another user.
  func checked(_ tokens: HeldTokens, uid other: String? = nil) throws(ClientError) -> HeldTokens {
    guard tokens.idToken.subject == uid, other ?? uid == uid else { throw .userMismatch }
    return tokens
  }

  /// The meaning of `error`. If it means that the session has ended, the client is signed out
  /// first.
  ///
  /// - Parameter token: The token that was sent. If the session has another token by now, the
  ///   refusal doesn't sign the user out.
  func failure(_ error: CallError, sent token: IDToken, email: String? = nil) async -> ClientError {
    if case .refused(let refusal, _) = error,
      let end = SessionEnd(refusalCode: refusal.code)
    {
      _ = await core.end(self, refused: token, cause: .sessionEnded(end))
      return .sessionEnded(end)
    }
    return ClientError(error, context(email: email))
  }

  func context(email: String? = nil) -> RefusalContext {
    RefusalContext(providers: snapshot.providers.map(\.provider), email: email)
  }
}

extension UserSnapshot {
  /// Applies a change that the server has made.
  fileprivate mutating func make(_ change: UpdateCall.Change) {
    switch change {
    case .profile(let profile):
      if case .set(let name) = profile.displayName { displayName = name }
      if case .remove = profile.displayName { displayName = nil }
      if case .set(let url) = profile.photoURL { photoURL = url }
      if case .remove = profile.photoURL { photoURL = nil }
    case .unlink(let provider):
      providers.removeAll { $0.provider == provider }
      if provider == .phone { phoneNumber = nil }
    case .removePasskeys(let ids):
      passkeys.removeAll { ids.contains($0.id) }
    // The server may require that the address is verified first.
    case .email, .password: break
    }
  }

  /// Adds a token's claims to the profile. Values that the token doesn't have are kept.
  fileprivate mutating func add(_ claimed: UserSnapshot) {
    isAnonymous = claimed.isAnonymous
    email = claimed.email ?? email
    isEmailVerified = claimed.isEmailVerified
    displayName = claimed.displayName ?? displayName
    photoURL = claimed.photoURL ?? photoURL
    phoneNumber = claimed.phoneNumber ?? phoneNumber
    // The number may have replaced another one.
    if claimed.phoneNumber != nil { providers.removeAll { $0.provider == .phone } }
    for provider in claimed.providers where self.provider(provider.provider) == nil {
      providers.append(provider)
    }
  }
}
