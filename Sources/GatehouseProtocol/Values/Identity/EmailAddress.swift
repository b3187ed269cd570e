/// An email address in the one form in which it is stored and compared, byte by byte.
///
/// Two spellings are one address only if they mean the same letters: A–Z and a–z, the capitals of the
/// Latin letters beyond ASCII, a letter in one scalar or with its mark in a second one (NFC), and a domain
/// in letters or in its `xn--` form. Letters that only look or fold alike are never the same:
/// Unicode's lower-casing would turn U+212A (KELVIN SIGN) into `k`, and two users' addresses could become
/// one. Mail goes to the stored address.
///
/// A local part may have letters beyond ASCII (RFC 6531), as in Google's service: `EmailLocalPart` says
/// which. `EmailDomain` says which letters a domain may have.
public struct EmailAddress: ByteExact {
  /// The greatest length, in bytes. Google's service accepts more than the 254 of RFC 5321
  /// §4.5.3.1.3.
  public static let maximumBytes = 256

  public let text: String

  /// Returns nil unless `text` is a local part, an `@` and a domain, and has at most
  /// ``maximumBytes``, also in its stored form.
  public init?(_ text: String) {
    guard text.utf8.count <= Self.maximumBytes else { return nil }
    let folded = text.utf8.map(\.asciiLowercased)
    guard let at = folded.firstIndex(of: UInt8(ascii: "@")),
      let local = EmailLocalPart.stored(folded[..<at]),
      let domain = EmailDomain.stored(folded[(at + 1)...]),
      local.count + 1 + domain.count <= Self.maximumBytes
    else { return nil }
    self.text = String(decoding: local + [UInt8(ascii: "@")] + domain, as: UTF8.self)
  }

  /// The part after the `@`. ASCII.
  public var domain: String {
    text.utf8.firstIndex(of: UInt8(ascii: "@")).map { String(text[text.index(after: $0)...]) } ?? ""
  }
}
