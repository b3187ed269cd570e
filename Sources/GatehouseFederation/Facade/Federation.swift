package import GatehouseModel
import GatehouseTokens
package import Logging

package import struct Foundation.Date

/// What outside providers say, verified.
///
/// Knows no accounts and remembers nothing but providers' public keys. Safe to use from many tasks
/// at once; one for the whole server, so that projects share the keys and each fetch of them.
package struct Federation: Sendable {
  private let providers: IdentityProviders
  let services: ProviderServices

  /// - Parameter outbound: The server's is ``OutboundClient``. Its maker shuts it down.
  package init(
    providers: IdentityProviders = IdentityProviders(), outbound: any OutboundTransport,
    options: FederationOptions = FederationOptions(), logger: Logger
  ) {
    self.providers = providers
    var limits = KeyCacheLimits()
    limits.staleSeconds = options.staleSeconds
    limits.retrySeconds = options.retrySeconds
    limits.unknownKeyWindowSeconds = options.unknownKeyWindowSeconds
    services = ProviderServices(
      transport: outbound, options: options,
      remoteKeys: RemoteKeys(
        fetcher: KeyFetcher(transport: outbound, allowsPlainHTTP: options.allowsPlainHTTP),
        limits: limits, logger: logger))
  }

  /// Keeps the providers' keys fresh until the task is cancelled. To be called once.
  ///
  /// Sign-ins work without it, but then some of them wait for a fetch that this would have done.
  package func run() async { await services.remoteKeys.run() }

  /// Whether a sign-in with `credential` may call the provider about it, whatever is cached: a client
  /// can make an access token up, and only the provider knows. What comes of it has to be counted:
  /// errors of ``FederationError/isProvidersRefusal``, and `ExternalIdentity.isAccessTokenRefused`.
  package func asksProvider(
    about credential: IdPCredential, for configuration: ProviderConfiguration
  ) -> Bool {
    (try? providers.provider(configuration.id))?.asks(about: credential) ?? false
  }

  /// Who a provider says the bearer of `credential` is.
  ///
  /// Checks everything but single use: the caller must record `ExternalIdentity.use` in the
  /// transaction that acts on the identity, and refuse what is recorded already.
  ///
  /// Doesn't look at `ProviderConfiguration.isEnabled`, which is the caller's to
  /// refuse before a token is read.
  ///
  /// - Throws: ``FederationError``: form, keys, signature, issuer, audience, subject, times, nonce,
  ///   hashes, in this order; for an access token that comes without an ID token, what the provider
  ///   says of it.
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

  /// The one way from an ID token to an identity: verify it, hold it against its request, map its
  /// claims.
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
    identity.use = verified.use
    identity.tokens.idToken = credential.idToken
    return identity
  }

  func verified(
    _ credential: IdPCredential, origin: TokenOrigin, _ provider: any IdentityProvider,
    in context: ProviderContext
  ) async throws(FederationError) -> VerifiedIDToken {
    let configuration = context.configuration
    guard let idToken = credential.idToken?.reveal(), !idToken.isEmpty,
      let rules = try provider.idTokenRules(configuration)
    else { throw .missingIDToken(configuration.id) }
    let audiences =
      switch origin {
      case .app: configuration.audiences
      case .browser(let client, _), .exchange(let client): [client]
      }
    let skew = services.options.clockSkewSeconds
    var verified = try await IDTokenVerification(
      remoteKeys: services.remoteKeys, clockSkewSeconds: skew
    ).verify(idToken, rules, audiences: audiences, configuration, now: context.now)
    verified.use = try RequestBinding(
      origin: origin, rules: rules, provider: configuration.id, clockSkewSeconds: skew
    ).check(verified.token, credential)
    return verified
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
    // An access token carries none, so nothing would bind it to the request.
    guard !context.configuration.requiresNonce, credential.rawNonce?.isEmpty ?? true else {
      throw .nonceMissingInToken
    }
    return try await provider.identity(ofAccessToken: accessToken, in: context)
  }

  /// The provider of a configuration, and what its functions work with.
  func provider(
    for configuration: ProviderConfiguration, now: Date
  ) throws(FederationError) -> (any IdentityProvider, ProviderContext) {
    (
      try providers.provider(configuration.id),
      ProviderContext(configuration: configuration, services: services, now: now)
    )
  }
}
