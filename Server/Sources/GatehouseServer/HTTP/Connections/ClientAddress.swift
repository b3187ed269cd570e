package import GatehouseProtocol

/// The origin of a request for rate limits: an IPv4 address, or the /64 network of an IPv6 address.
///
/// A customer gets at least a /64 (RFC 6177 §2), and every machine in it may use any of its
/// addresses (RFC 8981). A limit for each single address would therefore have no effect. Many customers get
/// a /48 or rent one, which has 65,536 such networks: so each limit also applies to ``site``.
package struct ClientAddress: Hashable, Sendable {
  private let network: IPAddress
  private let isSite: Bool

  package init(_ address: IPAddress) {
    isSite = false
    network =
      switch address.unmapped {
      case .v4(let address): .v4(address)
      case .v6(let high, _): .v6(high, 0)
      }
  }

  private init(site high: UInt64) {
    isSite = true
    network = .v6(high & ~0xFFFF, 0)
  }

  /// The /48 network of an IPv6 address. Nil for an IPv4 address, and for ``unknown``.
  package var site: ClientAddress? {
    guard case .v6(let high, _) = network, self != .unknown else { return nil }
    return ClientAddress(site: high)
  }

  /// How many times the limit of an address its site has.
  package static let siteFactor = 10

  /// How much of `total` places a site may hold, if an address may hold `limit`: at most half, so that the
  /// others are left for everyone else.
  package static func siteLimit(_ limit: Int, of total: Int) -> Int {
    max(limit, min(limit * siteFactor, total / 2))
  }

  /// For connections without an address, such as a socket in the file system. They share one count.
  package static let unknown = ClientAddress(.v6(0, 0))
}

extension ClientAddress: CustomStringConvertible {
  package var description: String {
    switch network {
    case .v4: network.description
    case .v6: "\(network)/\(isSite ? 48 : 64)"
    }
  }
}
