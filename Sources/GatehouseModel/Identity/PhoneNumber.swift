/// A telephone number in the one form in which it is stored, compared and sent to: `+`, the country
/// calling code and the subscriber's number, only digits (E.164).
public struct PhoneNumber: ByteExact {
  /// How many digits a number has. E.164 allows 15. The shortest numbers, of small islands, have 7
  /// with the country calling code.
  public static let digits = 7...15

  /// `+15555550100`.
  public let text: String

  /// Removes spaces, hyphens, dots and parentheses, which people write in numbers.
  ///
  /// Doesn't check that the number exists. Returns nil if the text has more than 64 bytes, lacks the `+`
  /// or contains another character, if the country calling code begins with 0, or if the number of digits
  /// isn't in ``digits``.
  public init?(_ text: String) {
    guard text.utf8.count <= 64 else { return nil }
    let bytes = text.utf8.filter { !" -.()".utf8.contains($0) }
    guard bytes.first == UInt8(ascii: "+"), Self.digits.contains(bytes.count - 1),
      bytes[bytes.index(after: bytes.startIndex)] != UInt8(ascii: "0"),
      bytes.dropFirst().allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    self.text = String(decoding: bytes, as: UTF8.self)
  }

  /// The number without its last four digits. The 10,000 numbers that begin with it are usually
  /// assigned together.
  public var range: String { String(text.dropLast(4)) }
}
