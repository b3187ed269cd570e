import Foundation
import GatehouseServer

extension OutboundClient {
  /// The client that calls webhooks. It is separate from the one that calls providers, so that a
  /// slow receiver doesn't delay other sign-ins. It connects to this machine only if a webhook's URL
  /// names this machine; see `WebhookAddress`.
  convenience init(
    webhooksTo privateHosts: [String], authorities: PrivateAuthorities, seconds: Int = 4,
    clock: @escaping @Sendable () -> Date
  ) {
    var limits = OutboundClient.Limits()
    limits.duration = .seconds(seconds)
    limits.bodyBytes = 64 * 1024
    limits.concurrentCalls = 64
    limits.callsReservedForKeys = 0
    self.init(
      rule: OutboundRule(privateHosts: privateHosts, loopback: .named), limits: limits,
      authorities: authorities, clock: clock)
  }

  /// The client that calls blocking functions. It is separate from the others, so that functions that hang
  /// delay neither providers nor webhooks.
  convenience init(
    functionsOn privateHosts: [String], authorities: PrivateAuthorities, seconds: Int,
    clock: @escaping @Sendable () -> Date
  ) {
    var limits = OutboundClient.Limits()
    limits.duration = .seconds(seconds)
    limits.bodyBytes = 64 * 1024
    // Enough for several projects: see `BlockingFunction.maximumCallsPerProject`.
    limits.concurrentCalls = 256
    limits.callsReservedForKeys = 0
    self.init(
      rule: OutboundRule(privateHosts: privateHosts, loopback: .named), limits: limits,
      authorities: authorities, clock: clock)
  }
}
