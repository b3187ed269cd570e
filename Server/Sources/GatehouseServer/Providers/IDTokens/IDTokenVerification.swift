import GatehouseProtocol
import GatehouseTokens

import struct Foundation.Date

/// Verifies providers' ID tokens with their remote keys.
struct IDTokenVerification: Sendable {
  let remoteKeys: RemoteKeys
  let clockSkewSeconds: Int

  /// Verifies form, key, signature and claims, in this order: no claim is reported before the
  /// signature shows who issued the token. Doesn't check the nonce and the hashes:
  /// ``RequestBinding`` compares them with the request.
  ///
  /// - Parameter audiences: At least one, from the configuration.
  func verify(
    _ compact: String, from origin: TokenOrigin, _ rules: IDTokenRules, audiences: [String],
    _ configuration: ProviderConfiguration, now: Date
  ) async throws(FederationError) -> (token: VerifiedToken, metadata: ProviderMetadata?) {
    let failures = TokenFailures(
      issuer: rules.tenants?.configured ?? rules.issuers.first ?? "",
      clientID: configuration.clientID)
    var policy = TokenPolicy(
      issuers: rules.issuers, audiences: audiences, algorithms: rules.algorithms)
    policy.tenants = rules.tenants
    policy.trustedAudiences = configuration.trustedAudiences
    policy.clockSkewSeconds = clockSkewSeconds
    let verifier = TokenVerifier(policy: policy)

    if rules.acceptsClientSecret, case .code(let answer, _) = origin,
      let token = try verify(answer, verifier, failures, now: now)
    {
      let keys = try await RemoteKeyVerification.keys(of: rules.keys, in: remoteKeys, now: now)
      return (token, keys.metadata)
    }
    return try await RemoteKeyVerification(remoteKeys: remoteKeys, failures: failures).verify(
      compact, keysOf: rules.keys, now: now
    ) { token, keys throws(TokenError) in
      (try verifier.verify(token, keys: keys.keys, now: now), keys.metadata)
    }
  }

  /// Verifies an ID token that is signed with the client's secret (OpenID Connect Core §3.1.3.7, 8).
  ///
  /// - Parameter answer: Shows that the provider's token endpoint issued the token. Everyone who knows
  ///   the client's secret can write such a token, so no other origin is accepted.
  /// - Returns: Nil if the token is signed with one of the provider's keys, or the client has no
  ///   secret.
  private func verify(
    _ answer: TokenAnswer, _ verifier: TokenVerifier, _ failures: TokenFailures, now: Date
  ) throws(FederationError) -> VerifiedToken? {
    guard let text = answer.tokens.idToken, let secret = answer.clientSecret else { return nil }
    do throws(TokenError) {
      guard let token = try UnverifiedSecretToken(text.reveal()) else { return nil }
      return try verifier.verify(token, secret: ClientSecretKey(secret.reveal()), now: now)
    } catch {
      throw failures.federationError(error)
    }
  }
}
