import GatehouseModel
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
    _ compact: String, _ rules: IDTokenRules, audiences: [String],
    _ configuration: ProviderConfiguration, now: Date
  ) async throws(FederationError) -> VerifiedIDToken {
    let failures = TokenFailures(
      issuer: rules.tenants?.configured ?? rules.issuers.first ?? "",
      clientID: configuration.clientID)
    let token: UnverifiedToken
    do throws(TokenError) {
      token = try UnverifiedToken(compact)
    } catch {
      throw failures.federationError(error)
    }

    var policy = TokenPolicy(
      issuers: rules.issuers, audiences: audiences, algorithms: rules.algorithms)
    policy.tenants = rules.tenants
    policy.trustedAudiences = configuration.trustedAudiences
    policy.clockSkewSeconds = clockSkewSeconds
    let verifier = TokenVerifier(policy: policy)

    return try await RemoteKeyVerification(remoteKeys: remoteKeys, failures: failures).verify(
      token, keysOf: rules.keys, now: now
    ) { keys throws(TokenError) in
      VerifiedIDToken(
        token: try verifier.verify(token, keys: keys.keys, now: now), metadata: keys.metadata)
    }
  }
}
