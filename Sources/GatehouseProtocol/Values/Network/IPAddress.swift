import Foundation

/// An IPv4 or IPv6 address.
public enum IPAddress: Hashable, Sendable {
  /// In host byte order: 127.0.0.1 is `0x7F00_0001`.
  case v4(UInt32)
  /// The first and the last eight bytes.
  case v6(UInt64, UInt64)

  /// Reads forms such as `127.0.0.1` and `::1`, but not the older forms (`127.1`, `0x7f000001`).
  public init?(_ text: String) {
    var v4 = in_addr()
    var v6 = in6_addr()
    if unsafe inet_pton(AF_INET, text, &v4) == 1 {
      self = .v4(UInt32(bigEndian: v4.s_addr))
    } else if unsafe inet_pton(AF_INET6, text, &v6) == 1 {
      self.init(v6: unsafe withUnsafeBytes(of: v6) { unsafe Array($0) })
    } else {
      return nil
    }
  }

  /// - Parameter bytes: Sixteen bytes in network order. With any other number the address is
  ///   meaningless.
  public init(v6 bytes: [UInt8]) {
    let words = [bytes.prefix(8), bytes.dropFirst(8).prefix(8)].map { half in
      half.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
    self = .v6(words[0], words[1])
  }

  /// For `::ffff:a.b.c.d` the IPv4 address in it (RFC 4291 §2.5.5.2): a socket for both IP versions
  /// reports IPv4 addresses in this form. Any other address is returned unchanged.
  public var unmapped: IPAddress {
    guard case .v6(0, let low) = self, low >> 32 == 0xFFFF else { return self }
    return .v4(UInt32(truncatingIfNeeded: low))
  }
}

extension IPAddress: CustomStringConvertible {
  /// The dotted form, or all eight groups of IPv6.
  public var description: String {
    switch self {
    case .v4(let address):
      [24, 16, 8, 0].map { String(address >> UInt32($0) & 0xFF) }.joined(separator: ".")
    case .v6(let high, let low):
      [high, low].flatMap { word in
        [48, 32, 16, 0].map { String(word >> UInt64($0) & 0xFFFF, radix: 16) }
      }.joined(separator: ":")
    }
  }
}
