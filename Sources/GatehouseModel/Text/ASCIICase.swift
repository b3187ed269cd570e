/// The one folding of case there is: A–Z as a–z, for what standards compare without regard to case
/// (hosts, schemes, media types) and for email addresses.
///
/// Unicode's lower-casing would make other texts equal too: U+212A (KELVIN SIGN) becomes `k`.
extension UInt8 {
  /// The byte of an ASCII text in lower case; any other byte as it is.
  package var asciiLowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}

extension StringProtocol {
  /// The text with A–Z in lower case, and every other byte as it is.
  package var asciiLowercased: String {
    String(decoding: utf8.map(\.asciiLowercased), as: UTF8.self)
  }
}
