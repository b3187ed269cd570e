package import GatehouseModel

/// Where the server may connect to: the outbound rule.
///
/// Whoever configures a provider over the REST API names hosts; without this rule they would make
/// the server fetch from its own network (server-side request forgery). Only the operator, in the
/// server's configuration, opens a door.
package struct OutboundRule: Sendable {
  /// `outbound.privateHosts`: hosts whose addresses may be private. In any case of letters.
  package var privateHosts: [String]
  /// Development: loopback addresses are allowed, and plain http to them.
  package var allowsLoopback: Bool

  package init(privateHosts: [String] = [], allowsLoopback: Bool = false) {
    self.privateHosts = privateHosts.map(\.asciiLowercased)
    self.allowsLoopback = allowsLoopback
  }

  /// Checks every address of `url`'s host: one that is refused refuses them all, or an attacker's
  /// name server would need only patience.
  ///
  /// - Throws: ``OutboundError/unresolvable(host:)``, ``OutboundError/refusedAddress(host:address:)``
  ///   or ``OutboundError/insecure(host:)``.
  package func check(_ addresses: [IPAddress], for url: OutboundURL) throws(OutboundError) {
    guard !addresses.isEmpty else { throw .unresolvable(host: url.host) }
    let isNamed = privateHosts.contains { $0.utf8.elementsEqual(url.host.utf8) }
    for address in addresses where !isAllowed(address.reach, isNamed: isNamed) {
      throw .refusedAddress(host: url.host, address: address.description)
    }
    if !url.isSecure {
      guard allowsLoopback, addresses.allSatisfy({ $0.reach == .loopback }) else {
        throw .insecure(host: url.host)
      }
    }
  }

  private func isAllowed(_ reach: IPAddress.Reach, isNamed: Bool) -> Bool {
    switch reach {
    case .global: true
    case .loopback: isNamed || allowsLoopback
    case .private: isNamed
    case .never: false
    }
  }
}
