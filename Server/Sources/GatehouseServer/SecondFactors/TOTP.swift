import Crypto
import Foundation
package import GatehouseProtocol
import GatehouseTokens

/// Codes that an app computes from a shared secret and the time (RFC 6238), in the form that every authenticator
/// app knows: HMAC-SHA-1, six digits, a new code every 30 seconds.
package struct TOTP: Hashable, Sendable {
  /// The shared secret: ``secretBytes`` random bytes.
  package let secret: Secret<[UInt8]>
  /// The time step of the last code that was accepted. A code is accepted once (RFC 6238 §5.2), and no earlier one
  /// after it.
  package var lastStep: Int64?

  package static let digits = 6
  /// Seconds.
  package static let period = 30
  /// RFC 4226 §4, R6.
  static let secretBytes = 20

  package init(secret: Secret<[UInt8]>) { self.secret = secret }

  static func random() -> TOTP {
    var generator = SystemRandomNumberGenerator()
    return TOTP(secret: Secret(generator.bytes(secretBytes)))
  }

  package static func == (one: TOTP, other: TOTP) -> Bool {
    one.hasSameSecret(as: other) && one.lastStep == other.lastStep
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(lastStep) }

  func hasSameSecret(as other: TOTP) -> Bool {
    constantTimeEquals(secret.reveal(), other.secret.reveal())
  }

  /// Accepts a code once.
  ///
  /// - Parameter adjacentSteps: How many steps before and after the present one are accepted too, for clocks that
  ///   differ and for users who type slowly.
  /// - Returns: False for a wrong code, and for one of a step that isn't later than the last accepted one.
  mutating func accept(_ code: Secret<String>, adjacentSteps: Int, now: Date) -> Bool {
    let present = Self.step(at: now)
    let typed = Array(code.reveal().utf8)
    var accepted: Int64?
    // Computes all codes, so that the time doesn't show which one it is.
    for step in (present - Int64(adjacentSteps))...(present + Int64(adjacentSteps)) {
      let isRight = constantTimeEquals(typed, Array(self.code(at: step).utf8))
      if isRight, accepted == nil, step > lastStep ?? .min { accepted = step }
    }
    guard let accepted else { return false }
    lastStep = accepted
    return true
  }

  static func step(at time: Date) -> Int64 {
    time.secondsSince1970 / Int64(period)
  }

  /// RFC 4226 §5.3.
  func code(at step: Int64) -> String {
    let counter = stride(from: 56, through: 0, by: -8).map {
      UInt8(truncatingIfNeeded: step >> Int64($0))
    }
    let hash = Array(
      HMAC<Insecure.SHA1>.authenticationCode(
        for: counter, using: SymmetricKey(data: secret.reveal())))
    let offset = Int(hash[hash.count - 1] & 0x0F)
    let number = hash[offset..<(offset + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let text = String((number & 0x7FFF_FFFF) % 1_000_000)
    return String(repeating: "0", count: Self.digits - text.count) + text
  }

  var base64URL: String { Base64URL.encode(secret.reveal()) }

  init?(base64URL text: String) {
    guard let secret = Base64URL.decode(text) else { return nil }
    self.init(secret: Secret(secret))
  }

  /// The secret in Base32 (RFC 4648 §6) without padding, as authenticator apps read it.
  var base32: Secret<String> {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
    var text: [UInt8] = []
    var (buffer, bits) = (UInt32(0), 0)
    for byte in secret.reveal() {
      buffer = buffer << 8 | UInt32(byte)
      bits += 8
      while bits >= 5 {
        bits -= 5
        text.append(alphabet[Int(buffer >> UInt32(bits)) & 31])
      }
      buffer &= (1 << UInt32(bits)) - 1
    }
    if bits > 0 { text.append(alphabet[Int(buffer << UInt32(5 - bits)) & 31]) }
    return Secret(String(decoding: text, as: UTF8.self))
  }
}
