package import GatehouseModel

package import struct Foundation.Date

extension Federation {
  /// Exchanges an authorization code that an app got for tokens (RFC 6749 §4.1.3).
  ///
  /// - Parameters:
  ///   - redirectURI: Of the authorization request, if it had one.
  ///   - codeVerifier: PKCE's, if the authorization request had a challenge.
  ///   - clientID: The client that the code was issued to; nil tries those that are likely, the next
  ///     one only if the provider says that the code is another client's.
  /// - Throws: ``FederationError/incompleteConfiguration(provider:setting:)`` before anything is
  ///   sent, ``FederationError/unreachable(_:)``, ``FederationError/refusedByProvider(status:error:)``,
  ///   or what is wrong with the ID token that came.
  package func exchangeAuthorizationCode(
    _ code: Secret<String>, redirectURI: String? = nil, codeVerifier: String? = nil,
    clientID: String? = nil, for configuration: ProviderConfiguration, now: Date
  ) async throws(FederationError) -> CodeExchange {
    let (provider, context) = try provider(for: configuration, now: now)
    let (tokens, client) = try await context.tokens(
      forCode: code, redirectURI: redirectURI, codeVerifier: codeVerifier,
      at: try await provider.configuredCodeEndpoints(
        clientID: clientID, redirectURI: redirectURI, in: context))
    var identity: ExternalIdentity?
    if let idToken = tokens.idToken {
      identity = try await self.identity(
        from: IdPCredential(idToken: idToken, accessToken: tokens.accessToken),
        origin: .exchange(client: client), provider, in: context)
      identity?.tokens = tokens
    } else if let accessToken = tokens.accessToken,
      let provider = provider as? any AccessTokenProvider, provider.identifiesByAccessToken
    {
      identity = try await provider.identity(ofAccessToken: accessToken, in: context)
    }
    return CodeExchange(tokens: tokens, identity: identity, clientID: client)
  }

  /// Revokes a token at the provider (RFC 7009), or by the provider's own means: at Facebook this
  /// takes every permission back.
  ///
  /// - Parameter clientID: The client that it was issued to; nil names every likely one.
  /// - Throws: ``FederationError`` as ``exchangeAuthorizationCode(_:redirectURI:codeVerifier:clientID:for:now:)``
  ///   if no client's request was accepted.
  package func revoke(
    _ token: Secret<String>, kind: RevocableToken, clientID: String? = nil,
    for configuration: ProviderConfiguration, now: Date
  ) async throws(FederationError) {
    let (provider, context) = try provider(for: configuration, now: now)
    try await provider.revoke(token, kind: kind, clientID: clientID, in: context)
  }

  /// Revokes all that a user granted the app, without a token of the user.
  ///
  /// - Throws: ``FederationError/unsupportedProvider(_:)`` for a provider that needs a token, else as
  ///   ``revoke(_:kind:clientID:for:now:)``.
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
