package import struct Foundation.TimeInterval

/// The numbers of federation. The defaults are production's.
package struct FederationOptions: Sendable {
  /// How far a provider's clock may be from ours, in seconds.
  package var clockSkewSeconds = 60
  /// Whether plain http to loopback is allowed (development). The transport decides too:
  /// ``OutboundRule/allowsLoopback``.
  package var allowsPlainHTTP = false
  /// Within this time unknown keys cause one fetch per provider.
  package var unknownKeyWindowSeconds: TimeInterval = 60
  /// After a failed fetch the next attempt waits this long.
  package var retrySeconds: TimeInterval = 30
  /// How long past their expiry keys are used while the provider fails.
  package var staleSeconds: TimeInterval = 24 * 60 * 60

  /// A nonce-bearing token is remembered until it expires; one that lives longer is refused.
  static let maximumNonceTokenSeconds = 48 * 60 * 60

  package init() {}
}
