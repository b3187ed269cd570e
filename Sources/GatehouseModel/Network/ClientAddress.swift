/// The origin of a request for rate limits: an IPv4 address, or the /64 network of an IPv6 address.
///
/// A customer gets at least a /64 (RFC 6177 §2), and every machine in it may use any of its
/// addresses (RFC 8981). A limit for each single address would therefore have no effect.
package struct ClientAddress: Hashable, Sendable {
  private let network: IPAddress

  package init(_ address: IPAddress) {
    network =
      switch address.unmapped {
      case .v4(let address): .v4(address)
      case .v6(let high, _): .v6(high, 0)
      }
  }

  /// For connections without an address, such as a socket in the file system. They share one count.
  package static let unknown = ClientAddress(.v6(0, 0))
}

extension ClientAddress: CustomStringConvertible {
  package var description: String {
    switch network {
    case .v4: network.description
    case .v6: "\(network)/64"
    }
  }
}
