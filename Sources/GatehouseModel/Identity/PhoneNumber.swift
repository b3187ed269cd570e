/// A telephone number in the one form in which it is stored, compared and sent to: `+`, the country
/// calling code and the subscriber's number, only digits (E.164).
public struct PhoneNumber: ByteExact {
  /// How many digits a number has. E.164 allows 15. The shortest numbers, of small islands, have 7
  /// with the country calling code.
  public static let digits = 7...15

  /// `+15555550100`.
  public let text: String

  /// Removes spaces, hyphens, dots and parentheses, which people write in numbers. Three or more letters
  /// A–Z are read as the digits of their keys (ITU-T E.161), as in `+1 650 555 CALL`; Firebase does it too.
  ///
  /// Doesn't check that the number exists. Returns nil if the text has more than 64 bytes, lacks the `+`,
  /// contains another character or an extension (`ext. 7`), if the country calling code begins with 0, or if
  /// the number of digits isn't in ``digits``.
  public init?(_ text: String) {
    guard text.utf8.count <= 64 else { return nil }
    let bytes = Self.digits(ofLettersIn: text.utf8.filter { !" -.()".utf8.contains($0) })
    guard bytes.first == UInt8(ascii: "+"), Self.digits.contains(bytes.count - 1),
      bytes[bytes.index(after: bytes.startIndex)] != UInt8(ascii: "0"),
      bytes.dropFirst().allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    self.text = String(decoding: bytes, as: UTF8.self)
  }

  private static func digits(ofLettersIn bytes: [UInt8]) -> [UInt8] {
    func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
    let letters = bytes.filter(isLetter).map { $0 | 0x20 }
    guard letters.count >= 3 else { return bytes }
    // `ext. 7` is no part of the number, and its digits would make it the number of another person.
    let isExtended =
      bytes.last.map(isLetter) == false
      && ["ext", "extn", "extension"].contains { word in
        letters.suffix(word.utf8.count).elementsEqual(word.utf8)
      }
    if isExtended { return bytes }
    // The keys of a to z.
    let keys = Array("22233344455566677778889999".utf8)
    return bytes.map { isLetter($0) ? keys[Int($0 | 0x20) - 0x61] : $0 }
  }

  /// The number without its last four digits. The 10,000 numbers that begin with it are usually
  /// assigned together.
  public var range: String { String(text.dropLast(4)) }
}
