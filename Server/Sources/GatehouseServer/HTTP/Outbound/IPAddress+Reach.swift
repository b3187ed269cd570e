package import GatehouseProtocol

extension IPAddress {
  /// Which machines an address can reach.
  package enum Reach: Hashable, Sendable {
    /// Any machine on the Internet.
    case global
    /// This machine.
    case loopback
    /// A machine in the operator's network: allowed for hosts that the operator names.
    case `private`
    /// Never allowed: unspecified, link-local (such as a cloud's metadata service), multicast,
    /// reserved, documentation.
    case never
  }

  /// By IANA's special-purpose address registries (RFC 6890). IPv6 addresses outside 2000::/3 are
  /// ``Reach/never``, except loopback, unique local addresses and other forms of an IPv4 address.
  package var reach: Reach {
    switch self {
    case .v4(let address): Self.reach(v4: address)
    case .v6(let high, let low): Self.reach(v6: high, low)
    }
  }

  private static func reach(v4 address: UInt32) -> Reach {
    for (network, bits, reach) in specialV4 where address >> (32 - bits) == network >> (32 - bits) {
      return reach
    }
    return .global
  }

  private static func reach(v6 high: UInt64, _ low: UInt64) -> Reach {
    if high == 0, low == 1 { return .loopback }
    // ::ffff:a.b.c.d is another form of the IPv4 address (RFC 4291 §2.5.5.2), and NAT64's
    // 64:ff9b::a.b.c.d leads to it (RFC 6052 §2.1).
    if high == 0, low >> 32 == 0xFFFF { return reach(v4: UInt32(truncatingIfNeeded: low)) }
    if high == 0x0064_FF9B_0000_0000, low >> 32 == 0 {
      return reach(v4: UInt32(truncatingIfNeeded: low))
    }
    // Unique local addresses, fc00::/7 (RFC 4193).
    if high >> 57 == 0x7E { return .private }
    // Only 2000::/3 is allocated as global unicast (RFC 4291 §2.4) …
    guard high >> 61 == 1 else { return .never }
    // … except the protocol assignments 2001::/23 (Teredo, ORCHID), 6to4 and documentation.
    for (network, bits) in specialV6 where high >> (64 - bits) == network >> (64 - bits) {
      return .never
    }
    return .global
  }

  private static let specialV4: [(network: UInt32, bits: UInt32, reach: Reach)] = [
    (0x0000_0000, 8, .never),  // "this network", RFC 791 §3.2
    (0x0A00_0000, 8, .private),  // 10/8, RFC 1918
    (0x6440_0000, 10, .private),  // 100.64/10, shared address space, RFC 6598
    (0x7F00_0000, 8, .loopback),  // 127/8, RFC 1122 §3.2.1.3
    (0xA9FE_0000, 16, .never),  // 169.254/16, link local, RFC 3927
    (0xAC10_0000, 12, .private),  // 172.16/12, RFC 1918
    (0xC000_0000, 24, .never),  // 192.0.0/24, protocol assignments, RFC 6890
    (0xC000_0200, 24, .never),  // 192.0.2/24, documentation, RFC 5737
    (0xC058_6300, 24, .never),  // 192.88.99/24, 6to4 relays, RFC 7526
    (0xC0A8_0000, 16, .private),  // 192.168/16, RFC 1918
    (0xC612_0000, 15, .never),  // 198.18/15, benchmarks, RFC 2544
    (0xC633_6400, 24, .never),  // 198.51.100/24, documentation
    (0xCB00_7100, 24, .never),  // 203.0.113/24, documentation
    (0xE000_0000, 4, .never),  // 224/4, multicast, RFC 1112
    (0xF000_0000, 4, .never),  // 240/4, reserved, and the broadcast address
  ]

  private static let specialV6: [(network: UInt64, bits: UInt64)] = [
    (0x2001_0000_0000_0000, 23),  // protocol assignments, RFC 2928
    (0x2001_0DB8_0000_0000, 32),  // documentation, RFC 3849
    (0x2002_0000_0000_0000, 16),  // 6to4, RFC 3056
    (0x3FFF_0000_0000_0000, 20),  // documentation, RFC 9637
  ]
}
