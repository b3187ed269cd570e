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
