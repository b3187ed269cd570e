/// Percent-encoding as used in forms (WHATWG URL §5.1).
enum PercentEncoding {
  /// Decodes `%XX`; `+` becomes a space if `plusIsSpace`. A `%` without two hexadecimal digits
  /// stays unchanged, and bytes that aren't UTF-8 are repaired.
  static func decoded(_ bytes: some Collection<UInt8>, plusIsSpace: Bool) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var rest = bytes[...]
    while let byte = rest.first {
      rest = rest.dropFirst()
      switch byte {
      case UInt8(ascii: "+") where plusIsSpace: result.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        if let value = escaped(rest) {
          result.append(value)
          rest = rest.dropFirst(2)
        } else {
          result.append(byte)
        }
      default: result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The byte for the two hexadecimal digits at the beginning of `rest`.
  static func escaped(_ rest: some Collection<UInt8>) -> UInt8? {
    var digits = rest.prefix(2).makeIterator()
    guard let high = digits.next().flatMap(hexadecimal),
      let low = digits.next().flatMap(hexadecimal)
    else { return nil }
    return high << 4 | low
  }

  private static func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte &- UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte &- UInt8(ascii: "a") &+ 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte &- UInt8(ascii: "A") &+ 10
    default: nil
    }
  }
}
