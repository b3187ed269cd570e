/// An account's identifier within its project: 1 to 128 bytes, no control characters.
///
/// Firebase's limit is 128 characters; ours counts bytes, so that an index row is bounded.
public struct UID: ByteExact {
  /// At most this many UTF-8 bytes.
  public static let maximumBytes = 128

  public let text: String

  /// Returns nil if `text` is empty, longer than ``maximumBytes`` or holds a control character.
  public init?(_ text: String) {
    guard (1...Self.maximumBytes).contains(text.utf8.count),
      text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
    else { return nil }
    self.text = text
  }

  /// A new identifier of the form that Firebase gives: 28 letters and digits, 166 random bits.
  public init(using generator: inout some RandomNumberGenerator) {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
    let bytes = (0..<28).map { _ in alphabet[Int.random(in: alphabet.indices, using: &generator)] }
    text = String(decoding: bytes, as: UTF8.self)
  }
}
