package import GatehouseProtocol

/// A block of addresses in CIDR notation (RFC 4632 §3.1, RFC 4291 §2.3): `10.0.0.0/8`,
/// `2001:db8::/32`, or a single address.
package struct IPNetwork: Hashable, Sendable {
  private let address: IPAddress
  private let bits: Int

  /// Returns nil if the first part isn't an address, if the prefix isn't a number or is longer than
  /// the address, or if the address has bits set after the prefix: `10.1.2.3/8` is probably a
  /// mistake.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let address = IPAddress(String(first)) else { return nil }
    var bits = address.bitCount
    if parts.count == 2 {
      guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let given = Int(parts[1]),
        given <= bits
      else { return nil }
      bits = given
    }
    guard address.prefix(bits) == address else { return nil }
    self.address = address
    self.bits = bits
  }

  /// Whether the network contains every address of its IP version.
  package var isEverything: Bool { bits == 0 }

  package func contains(_ other: IPAddress) -> Bool { other.prefix(bits) == address }
}

extension IPAddress {
  fileprivate var bitCount: Int {
    switch self {
    case .v4: 32
    case .v6: 128
    }
  }

  /// The address with all bits after the first `bits` cleared.
  fileprivate func prefix(_ bits: Int) -> IPAddress {
    // A shift by a word's width or more gives zero.
    switch self {
    case .v4(let address): .v4(address & ~(UInt32.max >> bits))
    case .v6(let high, let low):
      .v6(high & ~(UInt64.max >> bits), low & ~(UInt64.max >> max(bits - 64, 0)))
    }
  }
}
