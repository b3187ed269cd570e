/// Base64url without padding (RFC 4648 §5, RFC 7515 §2), in its one canonical form.
public enum Base64URL {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// The value of each byte as a digit; 0xFF for bytes that aren't digits.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 0xFF, count: 256)
    for (value, digit) in alphabet.enumerated() { values[Int(digit)] = UInt8(value) }
    return values
  }()

  public static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    append(bytes, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends the encoding of `bytes`.
  public static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
    // Written into memory of its own: appending each digit would check the array's capacity and owner
    // each time, which takes four times the instructions.
    let encoded = unsafe [UInt8](unsafeUninitializedCapacity: (bytes.count * 4 + 2) / 3) {
      buffer, count in
      let digits = alphabet.span
      let source = bytes.span
      func put(_ digit: UInt32) {
        unsafe buffer[count] = digits[Int(digit & 63)]
        count += 1
      }
      var index = 0
      while index + 2 < source.count {
        let group =
          UInt32(source[index]) << 16 | UInt32(source[index + 1]) << 8 | UInt32(source[index + 2])
        put(group >> 18)
        put(group >> 12)
        put(group >> 6)
        put(group)
        index += 3
      }
      switch source.count - index {
      case 1:
        put(UInt32(source[index]) >> 2)
        put(UInt32(source[index]) << 4)
      case 2:
        let group = UInt32(source[index]) << 8 | UInt32(source[index + 1])
        put(group >> 10)
        put(group >> 4)
        put(group << 2)
      default: break
      }
    }
    text.append(contentsOf: encoded)
  }

  /// Decodes `text`. Returns nil if ``encode(_:)`` can't have written it: padding, white space, the
  /// other alphabet's `+` and `/`, a length that no encoding has, or left-over bits that aren't
  /// zero. (If two texts decoded to the same bytes, one token would have two forms.)
  public static func decode(_ text: Span<UInt8>) -> [UInt8]? {
    let remainder = text.count % 4
    guard remainder != 1 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3 + 2)
    let values = values.span
    // The value of a byte that isn't a digit has the top bit set, so one test at the end is enough.
    var invalid: UInt8 = 0
    var index = 0
    while index + 3 < text.count {
      let (a, b) = (values[Int(text[index])], values[Int(text[index + 1])])
      let (c, d) = (values[Int(text[index + 2])], values[Int(text[index + 3])])
      invalid |= a | b | c | d
      bytes.append(a << 2 | b >> 4)
      bytes.append(b << 4 | c >> 2)
      bytes.append(c << 6 | d)
      index += 4
    }
    if remainder >= 2 {
      let (a, b) = (values[Int(text[index])], values[Int(text[index + 1])])
      invalid |= a | b
      bytes.append(a << 2 | b >> 4)
      var leftOver = b << 4
      if remainder == 3 {
        let c = values[Int(text[index + 2])]
        invalid |= c
        bytes.append(b << 4 | c >> 2)
        leftOver = c << 6
      }
      guard leftOver == 0 else { return nil }
    }
    return invalid & 0x80 == 0 ? bytes : nil
  }

  public static func decode(_ text: [UInt8]) -> [UInt8]? { decode(text.span) }

  public static func decode(_ text: String) -> [UInt8]? { decode(Array(text.utf8)) }
}
