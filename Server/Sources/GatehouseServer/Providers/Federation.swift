import GatehouseProtocol
import GatehouseTokens
package import Logging

package import struct Foundation.Date

/// Verifies the tokens, codes and notifications of external providers.
///
/// It knows no accounts, and keeps only the providers' public keys and discovery documents, in
/// memory. It can be used from many tasks at the same time. The whole server has one, so that all
/// projects share the keys of the built-in providers and the requests for them.
package struct Federation: Sendable {
  private let providers: IdentityProviders
  let services: ProviderServices

  /// - Parameter outbound: In a server, an ``OutboundClient``.
  package init(
    providers: IdentityProviders = IdentityProviders(), outbound: any OutboundTransport,
    options: FederationOptions = FederationOptions(), logger: Logger
  ) {
    self.providers = providers
    services = ProviderServices(
      transport: outbound, options: options,
      remoteKeys: RemoteKeys(
        fetcher: KeyFetcher(transport: outbound, allowsPlainHTTP: options.allowsPlainHTTP),
        limits: options.keyLimits, logger: logger),
      logger: logger)
  }

  /// Fetches the providers' keys in the background until the task is cancelled. Call it once.
  ///
  /// Sign-ins work without it, but then a sign-in that finds keys about to expire fetches new ones
  /// itself, and waits for them.
  package func run() async { await services.remoteKeys.run() }

  /// Whether a sign-in with `credential` may send a request about it to the provider. Fetches of
  /// keys don't count.
  ///
  /// A client can invent access tokens, and only the provider can detect that. The caller must
  /// therefore limit the failures: errors with ``FederationError/isProvidersRefusal``, and
  /// identities with `ExternalIdentity.isAccessTokenRefused`.
  package func asksProvider(
    about credential: IdPCredential, for configuration: ProviderConfiguration
  ) -> Bool {
    (try? providers.provider(configuration.id))?.asks(about: credential) ?? false
  }

  /// The identity that a provider asserts in `credential`.
  ///
  /// Checks everything except single use: the caller must record `ExternalIdentity.use` in the
  /// transaction that acts on the identity, and reject a use that is recorded already.
  ///
  /// Doesn't check `ProviderConfiguration.isEnabled`: the caller must reject a disabled provider
  /// before a token is read.
  ///
  /// - Throws: ``FederationError`` for the first of these that fails: form, keys, signature,
  ///   issuer, audience, subject, times, nonce, hashes. For an access token without an ID token,
  ///   the error follows from the provider's response about it.
  package func identity(
    from credential: IdPCredential, for configuration: ProviderConfiguration, now: Date
  ) async throws(FederationError) -> ExternalIdentity {
    let (provider, context) = try provider(for: configuration, now: now)
    let issuesIDTokens = try provider.idTokenRules(configuration) != nil
    guard credential.hasIDToken, issuesIDTokens else {
      guard credential.hasAccessToken || issuesIDTokens else {
        throw .missingAccessToken(configuration.id)
      }
      return try await identity(fromAccessTokenOf: credential, provider, in: context)
    }
    var identity = try await identity(from: credential, origin: .app, provider, in: context)
    if !identity.isAccessTokenRefused { identity.tokens.accessToken = credential.accessToken }
    return identity
  }

  /// The only way from an ID token to an identity: verifies the token, checks it against its
  /// request, and maps its claims.
  ///
  /// - Parameters:
  ///   - credential: What came with the token.
  ///   - origin: The token itself is in `credential`, or in the response of the token endpoint.
  func identity(
    from credential: IdPCredential, origin: TokenOrigin, _ provider: any IdentityProvider,
    in context: ProviderContext
  ) async throws(FederationError) -> ExternalIdentity {
    let verified = try await verified(credential, origin: origin, provider, in: context)
    guard let subject = Subject(verified.token.subject) else {
      throw .missingSubject(claims: "{}")
    }
    var identity = try await provider.identity(
      of: verified, subject: subject, with: credential, in: context)
    identity.authenticatedAt = verified.token.authenticatedAt
    identity.issuedAt = verified.token.claims.date("iat")
    identity.use = verified.use
    identity.tokens.idToken = credential.idToken
    return identity
  }

  func verified(
    _ credential: IdPCredential, origin: TokenOrigin, _ provider: any IdentityProvider,
    in context: ProviderContext
  ) async throws(FederationError) -> BoundIDToken {
    let configuration = context.configuration
    let (received, audiences) =
      switch origin {
      case .app: (credential.idToken, configuration.audiences)
      case .browser(let client, _): (credential.idToken, [client])
      case .code(let answer, _): (answer.tokens.idToken, [answer.clientID])
      }
    guard let idToken = received?.reveal(), !idToken.isEmpty,
      let rules = try provider.idTokenRules(configuration)
    else { throw .missingIDToken(configuration.id) }
    let skew = services.options.clockSkewSeconds
    let (token, metadata) = try await IDTokenVerification(
      remoteKeys: services.remoteKeys, clockSkewSeconds: skew
    ).verify(
      idToken, from: origin, rules, audiences: audiences, configuration, now: context.now)
    return try RequestBinding(
      origin: origin, rules: rules, provider: configuration.id, clockSkewSeconds: skew
    ).bind(token, metadata, to: credential)
  }

  private func identity(
    fromAccessTokenOf credential: IdPCredential, _ provider: any IdentityProvider,
    in context: ProviderContext
  ) async throws(FederationError) -> ExternalIdentity {
    let id = context.configuration.id
    guard credential.hasAccessToken, let accessToken = credential.accessToken else {
      throw .missingIDToken(id)
    }
    guard let provider = provider as? any AccessTokenProvider else { throw .accessTokenAlone(id) }
    // An access token has no nonce, so it can't satisfy a request that requires or has one.
    guard !context.configuration.requiresNonce, credential.rawNonce?.isEmpty ?? true else {
      throw .nonceMissingInToken
    }
    return try await provider.identity(ofAccessToken: accessToken, in: context)
  }

  /// The keys of Firebase's ID tokens, where this server finds Google.
  var firebaseKeys: OutboundURL {
    get throws(FederationError) {
      guard let google = try providers.provider(.google) as? GoogleProvider else {
        throw .unsupportedProvider(.google)
      }
      return google.endpoints.firebaseKeys
    }
  }

  /// The provider of a configuration, and the context for its functions.
  func provider(
    for configuration: ProviderConfiguration, now: Date
  ) throws(FederationError) -> (any IdentityProvider, ProviderContext) {
    (
      try providers.provider(configuration.id),
      ProviderContext(configuration: configuration, services: services, now: now)
    )
  }
}
