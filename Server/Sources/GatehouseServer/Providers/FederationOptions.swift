package import GatehouseTokens

/// Limits and times of federation. The defaults are those of production.
package struct FederationOptions: Sendable {
  /// How much a provider's clock may differ from ours, in seconds.
  package var clockSkewSeconds = 60
  /// Whether plain http to loopback is allowed (development). The transport decides too:
  /// ``OutboundRule/loopback``.
  package var allowsPlainHTTP = false
  /// Limits on fetches of providers' keys, and how long expired keys are used.
  package var keyLimits = KeyCacheLimits()

  package init() {}
}
