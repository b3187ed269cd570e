package import Foundation
package import GatehouseProtocol

/// The stored record of a verification session: a code that was sent to a number and not used yet.
package struct PhoneVerification: Sendable {
  /// Its id is the protocol's `sessionInfo`.
  package let session: VerificationSession
  package let phoneNumber: PhoneNumber
  /// Whether the number was one of the project's test numbers.
  package let isTest: Bool
  package let createdAt: Date
  package let expiresAt: Date
  /// The session's id, which the client got, and the code in the message. Encrypted at rest; stored
  /// only with `--dev`, where developers can list them.
  package let revealed: Revealed?

  package struct Revealed: Sendable {
    package let sessionInfo: Secret<String>
    package let code: Secret<String>

    package init(sessionInfo: Secret<String>, code: Secret<String>) {
      self.sessionInfo = sessionInfo
      self.code = code
    }
  }

  /// How long a code can be used. Seconds.
  package static let lifetimeSeconds: TimeInterval = 600
  /// How long an expired session is kept, so that it is reported as expired and not as unknown.
  /// Seconds.
  package static let rememberedSeconds: TimeInterval = 86_400

  package init(
    session: VerificationSession, phoneNumber: PhoneNumber, isTest: Bool = false, createdAt: Date,
    expiresAt: Date, revealed: Revealed? = nil
  ) {
    self.session = session
    self.phoneNumber = phoneNumber
    self.isTest = isTest
    self.createdAt = createdAt
    self.expiresAt = expiresAt
    self.revealed = revealed
  }

  /// The record of a new session, and the session's id for the client. The record has only the id's
  /// hash, unless the id is revealed.
  static func begin(
    _ number: PhoneNumber, code: VerificationCode, isTest: Bool, isRevealed: Bool, now: Date
  ) -> (record: PhoneVerification, sessionInfo: String) {
    let (session, sessionInfo) = VerificationSession.begin(code)
    let record = PhoneVerification(
      session: session, phoneNumber: number, isTest: isTest,
      createdAt: now.wholeMilliseconds,
      expiresAt: now.wholeMilliseconds.addingTimeInterval(lifetimeSeconds),
      revealed: isRevealed
        ? Revealed(sessionInfo: Secret(sessionInfo), code: code.secret) : nil)
    return (record, sessionInfo)
  }
}

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
