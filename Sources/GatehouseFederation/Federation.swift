import GatehouseJSON
package import GatehouseModel
import GatehouseTokens
package import Logging

package import struct Foundation.Date

/// What outside providers say, verified.
///
/// Knows no accounts and remembers nothing but providers' public keys. Safe to use from many tasks
/// at once; one for the whole server, so that projects share keys and flights.
package struct Federation: Sendable {
  let endpoints: BuiltInEndpoints
  let transport: any OutboundTransport
  let options: FederationOptions
  let remoteKeys: RemoteKeys
  let facebookCalls = CallLimit(FacebookGraph.maximumCalls)
  let googleCalls = CallLimit(GoogleAccessToken.maximumCalls)
  let userInfoCalls = CallLimit(UserInfo.maximumCalls)

  /// - Parameter outbound: The server's is ``OutboundClient``. Who made it shuts it down.
  package init(
    endpoints: BuiltInEndpoints = BuiltInEndpoints(), outbound: any OutboundTransport,
    options: FederationOptions = FederationOptions(), logger: Logger
  ) {
    self.endpoints = endpoints
    transport = outbound
    self.options = options
    var limits = RemoteKeyState.Limits()
    limits.staleSeconds = options.staleSeconds
    limits.retrySeconds = options.retrySeconds
    limits.unknownKeyWindowSeconds = options.unknownKeyWindowSeconds
    remoteKeys = RemoteKeys(
      fetcher: KeyFetcher(transport: outbound, allowsPlainHTTP: options.allowsPlainHTTP),
      limits: limits, logger: logger)
  }

  /// Keeps the providers' keys fresh until the task is cancelled. To be called once.
  ///
  /// Sign-ins work without it, but then some of them wait for a fetch that this would have done.
  package func run() async { await remoteKeys.run() }

  /// Whether a sign-in with `credential` may call the provider about it, whatever is cached: anybody can
  /// make an access token up, and only the provider knows. What comes of it has to be counted: errors
  /// of ``FederationError/isProvidersRefusal``, and `ExternalIdentity.isAccessTokenRefused`.
  package func asksProvider(
    about credential: IdPCredential, for configuration: ProviderConfiguration
  ) -> Bool {
    guard credential.accessToken?.reveal().isEmpty == false else { return false }
    let isAlone = credential.idToken?.reveal().isEmpty ?? true
    return switch configuration.id {
    case .facebook, .google: isAlone
    case let id: id.isOpenIDConnect && !isAlone
    }
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
  ///   hashes, in this order; for an access token of Facebook's or Google's that comes without an ID
  ///   token, what they say of it.
  package func identity(
    from credential: IdPCredential, for configuration: ProviderConfiguration, now: Date
  ) async throws(FederationError) -> ExternalIdentity {
    let rules = try ProviderRules(configuration, endpoints: endpoints)
    guard let idToken = credential.idToken?.reveal(), !idToken.isEmpty else {
      return try await identity(withoutIDToken: credential, rules, configuration, now: now)
    }
    let verified = try await verification.verify(
      idToken, rules, audiences: configuration.audiences, configuration, now: now)
    let use = try NonceCheck(
      provider: configuration.id, rule: Self.nonceRule(rules, configuration),
      clockSkewSeconds: options.clockSkewSeconds
    ).check(credential.rawNonce, verified.token)
    try Self.checkHashes(credential, verified.token, rules)

    var identity = try await identity(verified, rules, credential, configuration)
    identity.use = use
    identity.tokens.idToken = credential.idToken
    if !identity.isAccessTokenRefused { identity.tokens.accessToken = credential.accessToken }
    return identity
  }

  var verification: IDTokenVerification {
    IDTokenVerification(remoteKeys: remoteKeys, clockSkewSeconds: options.clockSkewSeconds)
  }

  /// The provider's part: claims, as it writes them, to an identity.
  func identity(
    _ verified: IDTokenVerification.Verified, _ rules: ProviderRules,
    _ credential: IdPCredential, _ configuration: ProviderConfiguration
  ) async throws(FederationError) -> ExternalIdentity {
    let token = verified.token
    guard let subject = Subject(token.subject) else { throw .missingSubject(claims: "{}") }
    var identity: ExternalIdentity
    switch rules.kind {
    case .apple:
      identity = AppleProvider.identity(
        token, subject: subject, configuration, userName: credential.userName)
    case .google:
      identity = GoogleProvider.identity(
        StandardClaims(token.claims), subject: subject, configuration)
    case .facebook:
      identity = FacebookProvider.identity(token, subject: subject, configuration)
    case .openIDConnect:
      let userInfo = try await userInfo(
        verified, credential.accessToken, configuration.claimMapping.emailClaim)
      var claims: JSONObject?
      if case .claims(let answered) = userInfo { claims = answered }
      identity = OpenIDConnectProvider.identity(
        token, subject: subject, configuration, userInfo: claims)
      if case .refused = userInfo { identity.isAccessTokenRefused = true }
    }
    identity.authenticatedAt = token.authenticatedAt
    return identity
  }

  private func userInfo(
    _ verified: IDTokenVerification.Verified, _ accessToken: Secret<String>?, _ emailClaim: String
  ) async throws(FederationError) -> UserInfo.Answer {
    guard let accessToken, !verified.token.claims.contains(emailClaim),
      let url = verified.metadata?.userInfo
    else { return .none }
    return try await UserInfo(transport: transport, calls: userInfoCalls).claims(
      at: url, accessToken: accessToken, subject: verified.token.subject)
  }

  private func identity(
    withoutIDToken credential: IdPCredential, _ rules: ProviderRules,
    _ configuration: ProviderConfiguration, now: Date
  ) async throws(FederationError) -> ExternalIdentity {
    guard let accessToken = credential.accessToken, !accessToken.reveal().isEmpty else {
      throw .missingIDToken(configuration.id)
    }
    guard rules.kind == .facebook || rules.kind == .google else {
      throw .accessTokenAlone(configuration.id)
    }
    // An access token carries none, so nothing would bind it to the request.
    guard !configuration.requiresNonce, credential.rawNonce?.isEmpty ?? true else {
      throw .nonceMissingInToken
    }
    return rules.kind == .google
      ? try await identity(ofGoogleAccessToken: accessToken, configuration)
      : try await identity(ofFacebookAccessToken: accessToken, configuration, now: now)
  }

  private static func nonceRule(
    _ rules: ProviderRules, _ configuration: ProviderConfiguration
  ) -> NonceRule {
    switch rules.kind {
    case .apple: AppleProvider.nonceRule(configuration)
    case .google: GoogleProvider.nonceRule(configuration)
    case .facebook, .openIDConnect: NonceRule(isRequired: configuration.requiresNonce)
    }
  }

  private static func checkHashes(
    _ credential: IdPCredential, _ token: VerifiedToken, _ rules: ProviderRules
  ) throws(FederationError) {
    do throws(TokenError) {
      if let code = credential.authorizationCode { try token.checkCodeHash(code.reveal()) }
      guard let accessToken = credential.accessToken?.reveal(), !accessToken.isEmpty else { return }
      if case .apple = rules.kind {} else { try token.checkAccessTokenHash(accessToken) }
    } catch {
      throw .otherToken
    }
    if case .apple = rules.kind, let text = credential.accessToken?.reveal(), !text.isEmpty {
      try AppleProvider.checkHashes(text, token)
    }
  }
}
