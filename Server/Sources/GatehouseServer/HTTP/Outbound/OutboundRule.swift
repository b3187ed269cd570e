package import GatehouseProtocol

/// The hosts to which the server may connect: the outbound rule.
///
/// An administrator who configures a provider over the REST API names hosts. Without this rule that
/// administrator could make the server connect to hosts of its own network (server-side request
/// forgery). Only the operator can allow private hosts, in the server's configuration.
package struct OutboundRule: Sendable {
  /// `outbound.privateHosts`: hosts whose addresses may be private or loopback, each with all its ports
  /// (`idp.example.com`) or with one (`idp.example.com:8443`, `[fd00::1]:8443`). Compared without case.
  package var privateHosts: [String]
  package var loopback: Loopback

  /// Whether loopback addresses are allowed, and plain http to them.
  package enum Loopback: Hashable, Sendable {
    case refused
    /// Allowed only if the URL itself names this machine, such as `localhost`. A name that resolves
    /// to loopback is refused: administrators may not enter `localhost`, but could enter such a
    /// name to reach programs that listen only on this machine.
    case named
    /// For development.
    case allowed
  }

  package init(privateHosts: [String] = [], loopback: Loopback = .refused) {
    self.privateHosts = privateHosts.map(\.asciiLowercased)
    self.loopback = loopback
  }

  package init(privateHosts: [String] = [], allowsLoopback: Bool) {
    self.init(privateHosts: privateHosts, loopback: allowsLoopback ? .allowed : .refused)
  }

  /// Checks every address of `url`'s host. One forbidden address rejects them all: otherwise an
  /// attacker's name server could mix addresses and wait until the forbidden one is used.
  ///
  /// - Throws: ``OutboundError/unresolvable(host:)``,
  ///   ``OutboundError/refusedAddress(host:address:)`` or ``OutboundError/insecure(host:)``.
  package func check(_ addresses: [IPAddress], for url: OutboundURL) throws(OutboundError) {
    guard !addresses.isEmpty else { throw .unresolvable(host: url.host) }
    let name = url.host.contains(":") ? "[\(url.host)]" : url.host
    let isNamed = [url.host, name, "\(name):\(url.port)"].contains {
      privateHosts.containsBytes(of: $0)
    }
    let allowsLoopback =
      switch loopback {
      case .refused: false
      case .named: url.namesLoopback
      case .allowed: true
      }
    for address in addresses where !isAllowed(address.reach, isNamed, allowsLoopback) {
      throw .refusedAddress(host: url.host, address: address.description)
    }
    if !url.isSecure {
      guard allowsLoopback, addresses.allSatisfy({ $0.reach == .loopback }) else {
        throw .insecure(host: url.host)
      }
    }
  }

  private func isAllowed(
    _ reach: IPAddress.Reach, _ isNamed: Bool, _ allowsLoopback: Bool
  ) -> Bool {
    switch reach {
    case .global: true
    case .loopback: isNamed || allowsLoopback
    case .private: isNamed
    case .never: false
    }
  }
}
