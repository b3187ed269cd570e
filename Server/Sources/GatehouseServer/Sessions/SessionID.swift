import GatehouseProtocol

/// A session's identifier: 128 random bits, new at each sign-in.
package struct SessionID: Hashable, Sendable, CustomStringConvertible {
  package let high: UInt64
  package let low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  package init(using generator: inout some RandomNumberGenerator) {
    high = generator.next()
    low = generator.next()
  }

  /// Reads 32 lower-case hexadecimal digits. Returns nil for any other text.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 32, let high = Self.word(bytes[..<16]), let low = Self.word(bytes[16...])
    else { return nil }
    self.init(high: high, low: low)
  }

  /// 32 lower-case hexadecimal digits.
  package var description: String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(32)
    for word in [high, low] {
      for shift in stride(from: UInt64(60), through: 0, by: -4) {
        text.append(digits[Int((word >> shift) & 0xF)])
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The 16 bytes, the high word first.
  package var bytes: [UInt8] {
    [high, low].flatMap { word in
      stride(from: UInt64(56), through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
    }
  }

  /// Reads the form of ``bytes``. Returns nil for any other length.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    let words = [bytes.prefix(8), bytes.dropFirst(8)].map { half in
      half.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
    self.init(high: words[0], low: words[1])
  }

  private static func word(_ digits: ArraySlice<UInt8>) -> UInt64? {
    var word: UInt64 = 0
    for digit in digits {
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): word = word << 4 | UInt64(digit &- 48)
      case UInt8(ascii: "a")...UInt8(ascii: "f"): word = word << 4 | UInt64(digit &- 87)
      default: return nil
      }
    }
    return word
  }
}
