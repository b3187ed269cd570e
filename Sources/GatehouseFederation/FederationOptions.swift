package import struct Foundation.TimeInterval

/// Limits and times of federation. The defaults are those of production.
package struct FederationOptions: Sendable {
  /// How much a provider's clock may differ from ours, in seconds.
  package var clockSkewSeconds = 60
  /// Whether plain http to loopback is allowed (development). The transport decides too:
  /// ``OutboundRule/allowsLoopback``.
  package var allowsPlainHTTP = false
  /// In this time unknown keys cause at most one fetch per provider, unless it brings other keys.
  package var unknownKeyWindowSeconds: TimeInterval = 60
  /// After a failed fetch the next attempt waits this long.
  package var retrySeconds: TimeInterval = 30
  /// How long after their expiry keys are used while the provider fails.
  package var staleSeconds: TimeInterval = 24 * 60 * 60

  /// A token with a nonce is remembered until it expires; one with a longer lifetime is rejected.
  static let maximumNonceTokenSeconds = 48 * 60 * 60

  package init() {}
}
