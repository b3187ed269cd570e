package import GatehouseProtocol

package import struct Foundation.Date

extension Federation {
  /// Exchanges an app's authorization code for tokens (RFC 6749 §4.1.3).
  ///
  /// - Parameters:
  ///   - redirectURI: The redirect URI of the authorization request, if it had one.
  ///   - codeVerifier: The code verifier of PKCE, if the authorization request had a challenge.
  ///   - clientID: The client to which the code was issued. If nil, the likely clients are tried
  ///     one after another, as long as the provider responds `invalid_grant`.
  /// - Throws: ``FederationError/incompleteConfiguration(provider:setting:)`` before the code is
  ///   sent; ``FederationError/unreachable(_:)``, before the code is sent if the keys for the ID
  ///   token can't be fetched; ``FederationError/refusedByProvider(status:error:)``; or an error
  ///   about the returned ID token or access token.
  package func exchangeAuthorizationCode(
    _ code: Secret<String>, redirectURI: String? = nil, codeVerifier: String? = nil,
    clientID: String? = nil, for configuration: ProviderConfiguration, now: Date
  ) async throws(FederationError) -> CodeExchange {
    let (provider, context) = try provider(for: configuration, now: now)
    let answer = try await context.answer(
      toCode: code, redirectURI: redirectURI, codeVerifier: codeVerifier,
      at: try await provider.endpointsForCode(
        clientID: clientID, redirectURI: redirectURI, in: context))
    var identity: ExternalIdentity?
    if answer.tokens.idToken != nil {
      identity = try await self.identity(
        from: IdPCredential(accessToken: answer.tokens.accessToken),
        origin: .code(answer, nil), provider, in: context)
      identity?.tokens = answer.tokens
    } else if let accessToken = answer.tokens.accessToken,
      let provider = provider as? any AccessTokenProvider, provider.identifiesByAccessToken
    {
      identity = try await provider.identity(ofAccessToken: accessToken, in: context)
    }
    return CodeExchange(tokens: answer.tokens, identity: identity, clientID: answer.clientID)
  }

  /// Revokes a token at the provider (RFC 7009), or in the provider's own way: at Facebook and
  /// GitHub this revokes everything that the user granted the app.
  ///
  /// - Parameter clientID: The client to which the token was issued. If nil, the token is revoked
  ///   for each likely client.
  /// - Throws: If no client's request was accepted,
  ///   ``FederationError/incompleteConfiguration(provider:setting:)``,
  ///   ``FederationError/unreachable(_:)``, ``FederationError/refusedByProvider(status:error:)``,
  ///   or ``FederationError/accessToken(_:)`` (Facebook and GitHub).
  package func revoke(
    _ token: Secret<String>, kind: RevocableToken, clientID: String? = nil,
    for configuration: ProviderConfiguration, now: Date
  ) async throws(FederationError) {
    let (provider, context) = try provider(for: configuration, now: now)
    try await provider.revoke(token, kind: kind, clientID: clientID, in: context)
  }

  /// Revokes all that a user granted the app, without a token of the user.
  ///
  /// Succeeds if the provider no longer knows the user.
  ///
  /// - Throws: ``FederationError/unsupportedProvider(_:)`` for every provider except Facebook,
  ///   which alone needs no token; ``FederationError/subjectForm(_:)`` if the subject isn't an id of
  ///   Facebook; ``FederationError/inspectionRefused(_:)`` if Facebook rejects the request; otherwise
  ///   the errors of ``revoke(_:kind:clientID:for:now:)``.
  package func revokeGrant(
    of subject: Subject, for configuration: ProviderConfiguration, now: Date
  ) async throws(FederationError) {
    let (provider, context) = try provider(for: configuration, now: now)
    guard let provider = provider as? any GrantRevokingProvider else {
      throw .unsupportedProvider(configuration.id)
    }
    try await provider.revokeGrant(of: subject, in: context)
  }
}
