package import GatehouseProtocol

package import struct Foundation.Date

extension Federation {
  /// How to ask the provider for a sign-in through a browser.
  ///
  /// - Throws: ``FederationError/incompleteConfiguration(provider:setting:)`` if a setting that the
  ///   flow needs is missing, such as a client secret;
  ///   ``FederationError/unreachable(_:)`` if a discovery document can't be fetched.
  package func authorizationPlan(
    for configuration: ProviderConfiguration, now: Date
  ) async throws(FederationError) -> AuthorizationPlan {
    let (provider, context) = try provider(for: configuration, now: now)
    _ = try provider.idTokenRules(configuration)
    guard !configuration.clientID.isEmpty else { throw context.missing("clientId") }
    return try await provider.authorizationPlan(in: context)
  }

  /// Fetches what `identity(from:for:now:)` needs before it sends a code: the discovery document and
  /// the keys for the ID token. Sends nothing of the response.
  ///
  /// Call it before the response is used up: if it fails, the response can be presented again.
  ///
  /// - Throws: ``FederationError/incompleteConfiguration(provider:setting:)`` or
  ///   ``FederationError/unreachable(_:)``.
  package func requireKeys(
    for answer: BrowserAnswer, of configuration: ProviderConfiguration, now: Date
  ) async throws(FederationError) {
    let (provider, context) = try provider(for: configuration, now: now)
    switch answer.proof {
    case .idToken: try await provider.requireKeys(in: context)
    case .code: _ = try await provider.endpointsForCode(of: answer, in: context)
    }
  }

  /// The identity of the user who signed in at the provider in the browser.
  ///
  /// A code is exchanged for tokens, and the ID token is checked like any other: signature, issuer,
  /// audience, times, nonce, hashes. The audience must be the client that made the request. The
  /// nonce is required and must be that of this request. If the request had `max_age` or
  /// `acr_values`, the claims `auth_time` and `acr` are checked too. A code of Facebook or GitHub
  /// yields no ID token: the server asks the provider about the access token.
  ///
  /// - Throws: ``FederationError/answerOfOtherIssuer(received:expected:)`` before the code is sent;
  ///   then the errors of
  ///   ``exchangeAuthorizationCode(_:redirectURI:codeVerifier:clientID:for:now:)`` and of
  ///   `identity(from:for:now:)` for a credential;
  ///   ``FederationError/authenticationTooOld(maximumSeconds:)`` and
  ///   ``FederationError/otherAuthenticationContext(received:)``. After the code was sent,
  ///   ``FederationError/unreachable(_:)`` is thrown only if the provider doesn't respond to the code, or
  ///   to a request with the access token that the code yielded.
  package func identity(
    from answer: BrowserAnswer, for configuration: ProviderConfiguration, now: Date
  ) async throws(FederationError) -> ExternalIdentity {
    try await checkIssuer(answer.issuer, ofAnswerFor: configuration, now: now)
    let (provider, context) = try provider(for: configuration, now: now)
    let authentication = AuthenticationCheck(
      demand: answer.signIn.demand, askedAt: answer.signIn.startedAt)
    switch answer.proof {
    case .idToken(let idToken):
      return try await identity(
        from: IdPCredential(
          idToken: idToken, rawNonce: answer.signIn.nonce, userName: answer.userName),
        origin: .browser(client: configuration.clientID, authentication), provider, in: context)
    case .code(let code):
      let granted = try await context.answer(
        toCode: code, redirectURI: answer.signIn.redirectURI,
        codeVerifier: answer.signIn.codeVerifier,
        at: try await provider.endpointsForCode(of: answer, in: context))
      if let provider = provider as? any AccessTokenProvider, provider.identifiesByAccessToken {
        // The token has no nonce, but comes from the provider itself in response to our request.
        guard let accessToken = granted.tokens.accessToken else {
          throw .missingIDToken(configuration.id)
        }
        try authentication.check(authenticatedAt: nil, contextClass: nil)
        return try await provider.identity(ofAccessToken: accessToken, in: context)
      }
      var identity = try await identity(
        from: IdPCredential(
          accessToken: granted.tokens.accessToken, authorizationCode: code,
          rawNonce: answer.signIn.nonce, userName: answer.userName),
        origin: .code(granted, authentication), provider, in: context)
      identity.tokens = granted.tokens
      return identity
    }
  }

  /// The subject to which the name in a browser's response belongs, before its code is redeemed.
  ///
  /// Apple sends the name once, in the form. The code in the form doesn't show the subject, but the
  /// ID token in the same form does. The token is checked like any that comes through a browser,
  /// with the nonce of this request.
  ///
  /// - Returns: Nil if the provider's names come with its tokens, or if the name is empty.
  /// - Throws: ``FederationError`` if the token is rejected or the keys can't be fetched.
  package func owner(
    ofName name: UserName, idToken: Secret<String>, rawNonce: String,
    for configuration: ProviderConfiguration, now: Date
  ) async throws(FederationError) -> ArrivedName? {
    let (provider, context) = try provider(for: configuration, now: now)
    guard type(of: provider).kind.sendsNameOnce else { return nil }
    let identity = try await identity(
      from: IdPCredential(idToken: idToken, rawNonce: rawNonce, userName: name),
      origin: .browser(client: configuration.clientID, nil), provider, in: context)
    guard let displayName = identity.profile.displayName else { return nil }
    return ArrivedName(
      provider: configuration.id, subject: identity.subject, displayName: displayName,
      firstName: identity.profile.firstName, lastName: identity.profile.lastName)
  }

  /// Checks the `iss` of a response that came through a browser (RFC 9207 §2.4), so that another
  /// provider's code isn't sent to this one.
  ///
  /// - Throws: ``FederationError/answerOfOtherIssuer(received:expected:)``;
  ///   ``FederationError/incompleteConfiguration(provider:setting:)`` if no issuer is configured;
  ///   ``FederationError/unreachable(_:)`` if a discovery document can't be fetched.
  package func checkIssuer(
    _ received: String?, ofAnswerFor configuration: ProviderConfiguration, now: Date
  ) async throws(FederationError) {
    let (provider, context) = try provider(for: configuration, now: now)
    let issuers = try provider.answerIssuers(configuration)
    let expected = issuers.first ?? ""
    guard let received else {
      guard try await provider.alwaysNamesIssuer(in: context) else { return }
      throw .answerOfOtherIssuer(received: "", expected: expected)
    }
    guard issuers.containsBytes(of: received) else {
      throw .answerOfOtherIssuer(received: TokenFailures.shown(received), expected: expected)
    }
  }
}

extension IdentityProvider {
  /// The endpoints for the code in a browser's response, after the keys were fetched if the code yields
  /// an ID token.
  fileprivate func endpointsForCode(
    of answer: BrowserAnswer, in context: ProviderContext
  ) async throws(FederationError) -> CodeEndpoints {
    let yieldsAccessToken = (self as? any AccessTokenProvider)?.identifiesByAccessToken ?? false
    return try await endpointsForCode(
      clientID: context.configuration.clientID, redirectURI: answer.signIn.redirectURI,
      yieldsIDToken: !yieldsAccessToken, in: context)
  }
}
