/// Percent-encoding as used in forms and queries (WHATWG URL §5.1).
public enum PercentEncoding {
  /// Escapes all but RFC 3986's unreserved characters, so that a value can't end its field, and `+`
  /// is never read as a space.
  public static func encoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var result: [UInt8] = []
    result.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      if isUnreserved(byte) {
        result.append(byte)
      } else {
        result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// `name=value` pairs with `&` between them; a field without a value is omitted.
  public static func form(_ fields: [(name: String, value: String?)]) -> String {
    fields.compactMap { field in
      field.value.map { "\(encoded(field.name))=\(encoded($0))" }
    }.joined(separator: "&")
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._~".utf8.contains(byte)
    }
  }

  /// Decodes `%XX`; `+` becomes a space if `plusIsSpace`. A `%` without two hexadecimal digits
  /// stays unchanged, and bytes that aren't UTF-8 become U+FFFD.
  static func decoded(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool) -> String {
    // Most values are tokens and ids, which have nothing to decode.
    let isPlain = bytes.allSatisfy { byte in
      byte != UInt8(ascii: "%") && (byte != UInt8(ascii: "+") || !plusIsSpace)
    }
    if isPlain { return String(decoding: bytes, as: UTF8.self) }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: "+") where plusIsSpace: result.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        if let value = escaped(bytes[index...]) {
          result.append(value)
          index += 2
        } else {
          result.append(byte)
        }
      default: result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The byte for the two hexadecimal digits at the beginning of `rest`.
  static func escaped(_ rest: ArraySlice<UInt8>) -> UInt8? {
    guard rest.count >= 2, let high = hexadecimal(rest[rest.startIndex]),
      let low = hexadecimal(rest[rest.startIndex + 1])
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
