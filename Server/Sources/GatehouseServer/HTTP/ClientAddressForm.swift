package import GatehouseProtocol

/// How much of clients' addresses is stored with sessions and events, and logged.
package enum ClientAddressForm: String, Sendable, CaseIterable {
  case none
  /// The first 24 bits of an IPv4 address, the first 48 of an IPv6 address.
  case truncated
  case full

  package func text(of address: IPAddress?) -> String? {
    guard let address = address?.unmapped else { return nil }
    switch self {
    case .none: return nil
    case .full: return address.description
    case .truncated:
      switch address {
      case .v4(let bits): return "\(IPAddress.v4(bits & 0xFFFF_FF00))/24"
      case .v6(let high, _): return "\(IPAddress.v6(high & ~0xFFFF, 0))/48"
      }
    }
  }
}
