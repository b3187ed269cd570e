/// Bytes as lower-case hexadecimal digits, two for each.
public enum Hexadecimal {
  public static func text(_ bytes: some Sequence<UInt8>) -> String { text(Array(bytes)) }

  /// Not generic, and therefore faster from other targets, which call it at each refresh and nonce.
  public static func text(_ bytes: [UInt8]) -> String {
    var digits: [UInt8] = []
    digits.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      digits.append(digit(byte >> 4))
      digits.append(digit(byte & 15))
    }
    return String(decoding: digits, as: UTF8.self)
  }

  private static func digit(_ nibble: UInt8) -> UInt8 {
    nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
  }

  /// Reads the form that `text` writes. Returns nil for an odd number of digits, and for any
  /// character that isn't a lower-case hexadecimal digit.
  public static func bytes(_ text: some StringProtocol) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = nibble(digits[index]), let low = nibble(digits[index + 1]) else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func nibble(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit &- 48
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit &- 87
    default: nil
    }
  }
}
