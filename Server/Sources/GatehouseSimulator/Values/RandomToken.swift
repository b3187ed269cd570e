/// Random bytes as text.
enum RandomToken {
  static func hex(bytes count: Int) -> String { Hex.text(random(count)) }

  static func base64(bytes count: Int) -> String { Base64URL.text(random(count)) }

  /// - Parameter count: The number of letters and digits.
  static func alphanumeric(count: Int) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
    return String((0..<count).compactMap { _ in alphabet.randomElement() })
  }

  private static func random(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }
}
