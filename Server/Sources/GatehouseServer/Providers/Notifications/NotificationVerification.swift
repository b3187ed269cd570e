import GatehouseProtocol
import GatehouseTokens

import struct Foundation.Date

/// Verifies notifications with the provider's remote keys.
struct NotificationVerification: Sendable {
  /// The greatest age of an accepted notification. Providers repeat a delivery for a few days at
  /// most.
  static let maximumAgeSeconds = 7 * 86_400

  let remoteKeys: RemoteKeys
  let clockSkewSeconds: Int

  func verify(
    _ jws: String, _ rules: IDTokenRules, issuers: [String],
    _ configuration: ProviderConfiguration, now: Date
  ) async throws(FederationError) -> VerifiedNotification {
    let failures = TokenFailures(
      issuer: issuers.first ?? "", clientID: configuration.clientID)
    // Google signs ID tokens and security events with the same keys, so other types are rejected.
    var policy = TokenPolicy(
      issuers: issuers, audiences: configuration.audiences, algorithms: rules.algorithms)
    policy.types = ["JWT", "secevent+jwt"]
    policy.clockSkewSeconds = clockSkewSeconds
    policy.maximumAgeSeconds = Self.maximumAgeSeconds
    let verifier = TokenVerifier(policy: policy)
    return try await RemoteKeyVerification(remoteKeys: remoteKeys, failures: failures).verify(
      jws, keysOf: rules.keys, now: now
    ) { token, keys throws(TokenError) in
      try verifier.verifyNotification(token, keys: keys.keys, now: now)
    }
  }
}
