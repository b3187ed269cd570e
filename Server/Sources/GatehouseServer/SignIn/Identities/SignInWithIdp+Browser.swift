import GatehouseProtocol

/// signInWithIdp with a response that came through a browser: `requestUri`, and the `sessionId`
/// with which the sign-in began.
///
/// The response is the link that the handler created (`…/__/auth/handler?answer=…`), or the
/// response that a provider sent to the `continueUri` of createAuthUri. In the second case the app
/// sends the complete URL; or, if the provider posted a form, the form in `postBody` and the URL to
/// which it was posted.
extension SignInWithIdp {
  /// Nil if the request has no response that came through a browser, for example if it has a token
  /// that the app got itself.
  ///
  /// - Throws: `AccountsError.browserSignIn` if parts don't belong together. Without the handler's
  ///   link, they are checked in this order: repeated parameters, the state, the provider, the URL,
  ///   the response.
  func browserAnswer(
    _ post: PostBody, _ request: SignInWithIdpRequest, _ came: RequestURI, in project: Project,
    _ call: Call
  ) throws(AccountsError) -> BrowserAnswer? {
    if let sealed = came["answer"], sealed.utf8.starts(with: BrowserSignInCodec.answerPrefix.utf8) {
      let answer = try services.accounts.browserAnswer(
        sealed: sealed, in: project, now: call.now)
      try Self.check(post.providerID, answer.signIn)
      return answer
    }
    let isOurs = post.state?.utf8.starts(with: BrowserSignInCodec.statePrefix.utf8) ?? false
    let bringsToken = post.idToken != nil || post.accessToken != nil
    // With a session id, the response must belong to the sign-in that began with it. A token alone
    // can't show that: a link with an attacker's token would sign the user in to the attacker's
    // account. A credential that an app got itself comes with the placeholder URL of SDKs, and no
    // browser was involved.
    let isByHand = came.isMadeUp && bringsToken
    let isUnbound =
      !(request.sessionID ?? "").isEmpty && request.pendingToken == nil
      && !services.accounts.isOurNonce(post.nonce) && !isByHand
    guard isOurs || isUnbound || came.isAnswer && !bringsToken else { return nil }
    guard post.repeated == nil else { throw .browserSignIn(.repeatedParameter) }
    let signIn = try services.accounts.browserSignIn(
      ofOwnState: post.state, in: project, now: call.now)
    try Self.check(post.providerID, signIn)
    // Distinguishes the responses of two providers if neither contains an issuer (RFC 9700
    // §4.4.2.2).
    guard came.isAnswer(to: signIn.redirectURI) else { throw .browserSignIn(.otherAddress) }
    return try Self.answer(post, signIn, call)
  }

  private static func answer(
    _ post: PostBody, _ signIn: BrowserSignIn, _ call: Call
  ) throws(AccountsError) -> BrowserAnswer {
    if let error = post.error {
      throw .browserSignIn(.refusedByProvider(ArrivedFields.errorName(error)))
    }
    let proof: BrowserAnswer.Proof? =
      switch signIn.response {
      case .code: post.code.map { .code(Secret($0)) }
      case .idToken: post.idToken.map { .idToken(Secret($0)) }
      }
    guard let proof else { throw .browserSignIn(.answerMissing) }
    return BrowserAnswer(
      to: signIn, proof, issuer: post.issuer, userName: post.user, arrivedAt: call.now)
  }

  private static func check(
    _ providerID: String?, _ signIn: BrowserSignIn
  ) throws(AccountsError) {
    guard providerID?.hasSameBytes(as: signIn.provider.text) ?? true else {
      throw .browserSignIn(.otherProvider)
    }
  }

  /// Redeems the response, which works once, and asks the provider which user it is for. If the
  /// provider's keys can't be fetched, the response isn't used up.
  ///
  /// Codes can be guessed, so a provider's refusal counts as a failed attempt from the client's
  /// address.
  func redeem(
    _ answer: BrowserAnswer, _ request: SignInWithIdpRequest, in project: Project, _ call: Call
  ) async throws -> (ExternalIdentity, IdentitySignIn.Proof) {
    let signIn = answer.signIn
    let provider = try await services.configuration(signIn.provider.text, in: project)
    // A client id that was removed in the meantime can't redeem a response.
    guard
      let configuration = provider.used(byClient: signIn.clientID ?? provider.clientID)
    else { throw AccountsError.providerDisabled }
    return try await services.accounts.withRateLimit(
      from: call.client, in: project, now: call.now,
      countingIf: {
        guard case .failure(let thrown) = $0 else { return false }
        let error = thrown as? FederationError
        return error?.isRefusalOfCode == true || error?.isProvidersRefusal == true
      }
    ) {
      // Before the response is used up: if the keys can't be fetched, the app may present it again.
      try await services.federation.requireKeys(for: answer, of: configuration, now: call.now)
      let nonce = try await services.accounts.redeem(
        answer, sessionID: request.sessionID, isLink: request.idToken != nil, in: project,
        now: call.now)
      let identity = try await services.federation.identity(
        from: answer, for: configuration, now: call.now)
      return (identity, .verified(nonce))
    }
  }
}

extension RequestURI {
  /// The URL that SDKs send if there was no redirect.
  fileprivate var isMadeUp: Bool { text.hasSameBytes(as: "http://localhost") }

  fileprivate var isAnswer: Bool { ["state", "code", "error"].contains { self[$0] != nil } }

  /// Whether it is `redirectURI` with a response added, compared byte for byte. Browsers write an
  /// empty path as a slash.
  fileprivate func isAnswer(to redirectURI: String) -> Bool {
    [redirectURI, redirectURI + "/"].contains { start in
      guard text.utf8.starts(with: start.utf8) else { return false }
      let next = text.utf8.dropFirst(start.utf8.count).first
      return next.map { "?&#".utf8.contains($0) } ?? true
    }
  }
}
