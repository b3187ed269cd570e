/// An account's identifier within its project: 1 to 256 bytes, no ASCII control characters.
///
/// Firebase documents a limit of 128 characters, but Google's service accepts accounts with 256. Bytes are
/// counted, so that an index row is bounded.
public struct UID: ByteExact {
  /// At most this many UTF-8 bytes.
  public static let maximumBytes = 256

  public let text: String

  /// Returns nil if `text` is empty, is longer than ``maximumBytes``, or contains an ASCII control
  /// character.
  public init?(_ text: String) {
    guard (1...Self.maximumBytes).contains(text.utf8.count),
      text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
    else { return nil }
    self.text = text
  }

  /// A new identifier in Firebase's form: 28 letters and digits, 166 random bits.
  public init(using generator: inout some RandomNumberGenerator) {
    var text: [UInt8] = []
    text.reserveCapacity(Self.randomLength)
    while text.count < Self.randomLength {
      // A word has ten digits of six bits. The two values beyond the alphabet are skipped.
      var word = generator.next()
      for _ in 0..<10 where text.count < Self.randomLength {
        let digit = Int(word & 63)
        word >>= 6
        if digit < Self.alphabet.count { text.append(Self.alphabet[digit]) }
      }
    }
    self.text = String(decoding: text, as: UTF8.self)
  }

  private static let randomLength = 28
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
}
