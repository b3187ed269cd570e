import Foundation
import Testing
import GatehouseProtocol

@testable import GatehouseServer

@Suite struct TOTPTests {
  /// RFC 6238, Appendix B, for SHA-1: the last six of its eight digits.
  @Test(arguments: [
    (59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"),
    (1_234_567_890, "005924"), (2_000_000_000, "279037"), (20_000_000_000, "353130"),
  ])
  func `the codes are those of RFC 6238`(seconds: Int, code: String) {
    var totp = TOTP(secret: Secret(Array("12345678901234567890".utf8)))
    let now = Date(timeIntervalSince1970: TimeInterval(seconds))
    #expect(totp.code(at: TOTP.step(at: now)) == code)
    let isAccepted = totp.accept(Secret(code), adjacentSteps: 0, now: now)
    #expect(isAccepted)
  }

  /// RFC 4648 §10, and the secret of RFC 6238.
  @Test(arguments: [
    ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"),
    ("fooba", "MZXW6YTB"), ("foobar", "MZXW6YTBOI"),
    ("12345678901234567890", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"),
  ])
  func `the secret is shown in Base32 without padding`(secret: String, base32: String) {
    #expect(TOTP(secret: Secret(Array(secret.utf8))).base32.reveal() == base32)
  }

  private let now = Date(timeIntervalSince1970: 1_800_000_000)

  @Test func `a code is accepted once, and no earlier one after it`() {
    var totp = TOTP.random()
    let step = TOTP.step(at: now)
    let (earlier, present) = (totp.code(at: step - 1), totp.code(at: step))
    let later = totp.code(at: step + 1)
    let accepted = [present, present, earlier, later].map {
      totp.accept(Secret($0), adjacentSteps: 1, now: now)
    }
    #expect(accepted == [true, false, false, true])
  }

  @Test(arguments: [(0, 0), (1, 1), (10, 10)])
  func `codes of as many steps are accepted as the project allows`(adjacent: Int, away: Int) {
    let totp = TOTP.random()
    let step = TOTP.step(at: now)
    for sign in [-1, 1] {
      let distance = Int64(sign * away)
      let accepted = [distance, distance + Int64(sign)].map { distance in
        var fresh = totp
        return fresh.accept(
          Secret(totp.code(at: step + distance)), adjacentSteps: adjacent, now: now)
      }
      #expect(accepted == [true, false])
    }
  }

  @Test(arguments: ["", "12345", "1234567", "٠١٢٣٤٥", "abcdef"])
  func `a text of another form is a wrong code`(text: String) {
    var totp = TOTP.random()
    let isAccepted = totp.accept(Secret(text), adjacentSteps: 10, now: now)
    #expect(!isAccepted)
  }

  @Test func `recovery codes are read as people write them, and each is used once`() throws {
    var factors = SecondFactors()
    let codes = factors.replaceRecoveryCodes().map { $0.reveal() }
    #expect(Set(codes).count == RecoveryCode.count)
    for code in codes {
      #expect(try /([2-9a-km-np-z]{4}-){2}[2-9a-km-np-z]{4}/.wholeMatch(in: code) != nil)
    }
    let typed = codes[3].uppercased().replacing("-", with: " ")
    let used = [typed, codes[3], codes[4].replacing("-", with: ""), ""].map {
      factors.use(recoveryCode: Secret($0))
    }
    #expect(used == [true, false, true, false])
    #expect(factors.recoveryCodes.count == RecoveryCode.count - 2)
  }

  @Test func `what is stored is read again, and damage is named`() throws {
    var factors = SecondFactors()
    factors.factors = [
      SecondFactor(.totp(.random()), name: "Phone", now: now),
      SecondFactor(.phone(try #require(PhoneNumber("+15555550100"))), name: nil, now: now),
    ]
    _ = factors.replaceRecoveryCodes()
    #expect(try SecondFactors(stored: factors.bytes) == factors)
    #expect(throws: StoreError.damaged("the second factors of an account can't be read")) {
      _ = try SecondFactors(stored: Array(factors.bytes.dropLast()))
    }
  }
}
