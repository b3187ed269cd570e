import Crypto
package import Foundation
package import GatehouseModel
import GatehouseTokens

/// The six digits in a text message.
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

/// A code that was sent to a number and not used: a verification session.
///
/// This is the stored record. The session's id has 256 random bits; the record contains only its
/// SHA-256. Of the code it contains the HMAC under that id. So a reader of the database learns
/// neither, although a code has only a million values.
package struct PhoneVerification: Sendable {
  /// SHA-256 of the session's id (`sessionInfo`).
  package let digest: [UInt8]
  package let phoneNumber: PhoneNumber
  /// HMAC-SHA256 of the code, keyed with the session's id.
  package let codeDigest: [UInt8]
  /// How often a code was presented without ending the session.
  package var tries: Int
  /// Whether the number was one of the project's test numbers.
  package let isTest: Bool
  package let createdAt: Date
  package let expiresAt: Date
  /// The secrets that the client and the message would contain. Encrypted at rest; stored only with
  /// `--dev`, where they can be listed.
  package let revealed: Revealed?

  package struct Revealed: Sendable {
    package let sessionInfo: Secret<String>
    package let code: Secret<String>

    package init(sessionInfo: Secret<String>, code: Secret<String>) {
      self.sessionInfo = sessionInfo
      self.code = code
    }
  }

  package static let lifetimeSeconds: TimeInterval = 600
  /// The number of wrong codes that ends a session.
  package static let maximumTries = 5
  /// How long an expired session is kept, so that it is reported as expired and not as unknown.
  /// Seconds.
  package static let rememberedSeconds: TimeInterval = 86_400

  package init(
    digest: [UInt8], phoneNumber: PhoneNumber, codeDigest: [UInt8], tries: Int = 0,
    isTest: Bool = false, createdAt: Date, expiresAt: Date, revealed: Revealed? = nil
  ) {
    self.digest = digest
    self.phoneNumber = phoneNumber
    self.codeDigest = codeDigest
    self.tries = tries
    self.isTest = isTest
    self.createdAt = createdAt
    self.expiresAt = expiresAt
    self.revealed = revealed
  }

  /// A new session with its id, which is revealed only now.
  static func begin(
    _ number: PhoneNumber, code: VerificationCode, isTest: Bool, isRevealed: Bool, now: Date
  ) -> (record: PhoneVerification, sessionInfo: String) {
    var generator = SystemRandomNumberGenerator()
    let sessionInfo = Base64URL.encode(
      (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    let record = PhoneVerification(
      digest: Array(SHA256.hash(data: Data(sessionInfo.utf8))), phoneNumber: number,
      codeDigest: codeDigest(of: code.secret.reveal(), sessionInfo: sessionInfo), isTest: isTest,
      createdAt: now.wholeMilliseconds,
      expiresAt: now.wholeMilliseconds.addingTimeInterval(lifetimeSeconds),
      revealed: isRevealed
        ? Revealed(sessionInfo: Secret(sessionInfo), code: code.secret) : nil)
    return (record, sessionInfo)
  }

  /// Nil for a text that is longer than any session's id.
  static func digest(of sessionInfo: String) -> [UInt8]? {
    guard sessionInfo.utf8.count <= 128 else { return nil }
    return Array(SHA256.hash(data: Data(sessionInfo.utf8)))
  }

  /// Compares in constant time, also for a text that can't be a code.
  func isCode(_ text: Secret<String>, sessionInfo: String) -> Bool {
    constantTimeEquals(
      codeDigest, Self.codeDigest(of: text.reveal(), sessionInfo: sessionInfo))
  }

  private static func codeDigest(of code: String, sessionInfo: String) -> [UInt8] {
    Array(
      HMAC<SHA256>.authenticationCode(
        for: Data(code.utf8), using: SymmetricKey(data: Data(sessionInfo.utf8))))
  }
}
