package import GatehouseProtocol

/// The six digits that a user types, from a text message or an email.
package struct VerificationCode: Sendable {
  package static let digits = 6

  package let secret: Secret<String>

  /// Returns nil for a text that isn't ``digits`` ASCII digits.
  package init?(_ text: String) {
    guard text.utf8.count == Self.digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    secret = Secret(text)
  }

  private init(digits: String) { secret = Secret(digits) }

  /// One of a million codes, all equally likely.
  static func random() -> VerificationCode {
    var generator = SystemRandomNumberGenerator()
    let number = Int.random(in: 0..<1_000_000, using: &generator)
    let text = String(number)
    return VerificationCode(digits: String(repeating: "0", count: digits - text.count) + text)
  }
}
