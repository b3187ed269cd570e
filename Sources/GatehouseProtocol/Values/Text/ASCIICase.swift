/// Case folding of ASCII: A–Z becomes a–z. It is for text that standards compare without regard to
/// case (hosts, schemes, media types) and for email addresses.
///
/// Unicode's lower-casing would also make other texts equal: U+212A (KELVIN SIGN) becomes `k`.
extension UInt8 {
  /// The lower-case letter for A–Z; any other byte unchanged.
  public var asciiLowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}

extension StringProtocol {
  /// The text with A–Z in lower case and every other byte unchanged.
  public var asciiLowercased: String {
    String(decoding: utf8.map(\.asciiLowercased), as: UTF8.self)
  }
}
