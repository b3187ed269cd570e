/// An email address in the one form in which it is stored and compared.
///
/// Only A–Z is folded. Unicode's lower-casing would turn U+212A (KELVIN SIGN) into `k`, and two
/// users' addresses could become one. Stored addresses are compared byte by byte, and emails are sent
/// to the stored address. So an email to one user's address never goes to another user's mailbox.
///
/// A local part may have letters of a script without capitals (RFC 6531), as in Google's service.
/// `EmailLocalPart` says why other letters beyond ASCII are refused. A domain is ASCII: write an
/// internationalised domain in its `xn--` form.
public struct EmailAddress: ByteExact {
  /// The greatest length, in bytes. Google's service accepts more than the 254 of RFC 5321
  /// §4.5.3.1.3.
  public static let maximumBytes = 256

  public let text: String

  /// Returns nil unless `text` is a local part (see `EmailLocalPart`), an `@` and a domain, of at most
  /// ``maximumBytes`` together. Each label of the domain has 1 to 63 ASCII letters, digits and hyphens,
  /// and neither begins nor ends with a hyphen.
  public init?(_ text: String) {
    let folded = text.utf8.map(\.asciiLowercased)
    guard folded.count <= Self.maximumBytes, let at = folded.firstIndex(of: UInt8(ascii: "@")),
      EmailLocalPart.isGood(folded[..<at]), Self.isDomain(folded[(at + 1)...])
    else { return nil }
    self.text = String(decoding: folded, as: UTF8.self)
  }

  /// The part after the `@`.
  public var domain: String {
    text.utf8.firstIndex(of: UInt8(ascii: "@")).map { String(text[text.index(after: $0)...]) } ?? ""
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
