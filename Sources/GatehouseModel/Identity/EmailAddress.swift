/// An email address in the one form in which it is stored and compared.
///
/// Folds A–Z only. Unicode's lower-casing would turn U+212A (KELVIN SIGN) into `k` and so make two
/// addresses of two people one; addresses with non-ASCII characters are refused (an
/// internationalised domain is written in its `xn--` form).
public struct EmailAddress: ByteExact {
  /// At most this many bytes (RFC 5321 §4.5.3.1.3 less the angle brackets).
  public static let maximumBytes = 254

  public let text: String

  /// Returns nil unless `text` is one `@` between a local part of 1 to 64 visible ASCII characters
  /// and a domain of labels of letters, digits and hyphens.
  public init?(_ text: String) {
    let folded = text.utf8.map { byte in
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte &+ 32 : byte
    }
    guard folded.count <= Self.maximumBytes, let at = folded.firstIndex(of: UInt8(ascii: "@")),
      Self.isLocalPart(folded[..<at]), Self.isDomain(folded[(at + 1)...])
    else { return nil }
    self.text = String(decoding: folded, as: UTF8.self)
  }

  /// The part after the `@`.
  public var domain: String {
    text.utf8.firstIndex(of: UInt8(ascii: "@")).map { String(text[text.index(after: $0)...]) } ?? ""
  }

  private static func isLocalPart(_ part: ArraySlice<UInt8>) -> Bool {
    let refused = Array("\"(),:;<>[\\]@".utf8)
    return (1...64).contains(part.count)
      && part.allSatisfy { (0x21...0x7E).contains($0) && !refused.contains($0) }
  }

  private static func isDomain(_ domain: ArraySlice<UInt8>) -> Bool {
    guard !domain.isEmpty else { return false }
    return domain.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy {
      label in
      (1...63).contains(label.count) && label.first != UInt8(ascii: "-")
        && label.last != UInt8(ascii: "-")
        && label.allSatisfy { byte in
          (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || byte == UInt8(ascii: "-")
        }
    }
  }
}
