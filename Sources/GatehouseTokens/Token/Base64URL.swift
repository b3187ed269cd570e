/// Base64url without padding (RFC 4648 §5, RFC 7515 §2), in its one canonical form.
public enum Base64URL {
  /// A literal in the program: nothing is created or counted when it is read.
  private static let digits: StaticString =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

  /// The value of each byte as a digit; 0xFF for bytes that aren't digits.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 0xFF, count: 256)
    for (value, digit) in digits.description.utf8.enumerated() { values[Int(digit)] = UInt8(value) }
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
      let digits = unsafe digits.utf8Start
      let all = bytes[...]
      let source = all.span
      var (index, end) = (0, 0)
      while index + 2 < source.count {
        let group =
          UInt32(source[index]) << 16 | UInt32(source[index + 1]) << 8 | UInt32(source[index + 2])
        unsafe buffer[end] = digits[Int(group >> 18)]
        unsafe buffer[end + 1] = digits[Int(group >> 12 & 63)]
        unsafe buffer[end + 2] = digits[Int(group >> 6 & 63)]
        unsafe buffer[end + 3] = digits[Int(group & 63)]
        index += 3
        end += 4
      }
      switch source.count - index {
      case 1:
        let group = UInt32(source[index])
        unsafe buffer[end] = digits[Int(group >> 2)]
        unsafe buffer[end + 1] = digits[Int(group << 4 & 63)]
        end += 2
      case 2:
        let group = UInt32(source[index]) << 8 | UInt32(source[index + 1])
        unsafe buffer[end] = digits[Int(group >> 10)]
        unsafe buffer[end + 1] = digits[Int(group >> 4 & 63)]
        unsafe buffer[end + 2] = digits[Int(group << 2 & 63)]
        end += 3
      default: break
      }
      count = end
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
    let allValues = values[...]
    let values = allValues.span
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

  public static func decode(_ text: [UInt8]) -> [UInt8]? {
    let all = text[...]
    return decode(all.span)
  }

  public static func decode(_ text: String) -> [UInt8]? { decode(Array(text.utf8)) }
}

/// Base64 in either alphabet, with or without padding. Google's clients send the URL-safe alphabet,
/// and Google's files hold the standard one.
public enum AnyBase64 {
  public static func decode(_ text: String) -> [UInt8]? {
    var digits = text.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "+"): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      default: byte
      }
    }
    for _ in 0..<2 where digits.last == UInt8(ascii: "=") { digits.removeLast() }
    return Base64URL.decode(digits)
  }
}
