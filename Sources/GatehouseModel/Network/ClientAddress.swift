/// Where a request comes from, as far as limits go: an IPv4 address, or the /64 network that an
/// IPv6 one is in.
///
/// A /64 is the least that a customer is given (RFC 6177 §2), and every machine in it may take any
/// of its addresses (RFC 8981): counted one by one they would be no limit at all.
package struct ClientAddress: Hashable, Sendable {
  private let network: IPAddress

  package init(_ address: IPAddress) {
    network =
      switch address.unmapped {
      case .v4(let address): .v4(address)
      case .v6(let high, _): .v6(high, 0)
      }
  }

  /// Of a connection that has none, such as a socket in the file system: all such share a count.
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
