import Crypto
import Foundation
import GatehouseProtocol

/// Time-based codes of six digits, every 30 seconds (RFC 6238, with SHA-1).
enum TOTP {
  static let periodSeconds: TimeInterval = 30

  static func step(at date: Date) -> Int64 {
    Int64((date.timeIntervalSince1970 / periodSeconds).rounded(.down))
  }

  /// RFC 4226 §5.3.
  static func code(_ secret: [UInt8], step: Int64) -> String {
    let counter = (0..<8).map { UInt8(truncatingIfNeeded: step >> (56 - 8 * $0)) }
    let hash = Array(
      HMAC<Insecure.SHA1>.authenticationCode(for: counter, using: SymmetricKey(data: secret)))
    let offset = Int(hash[19] & 0x0F)
    let number = hash[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
    let digits = String(number % 1_000_000)
    return String(repeating: "0", count: 6 - digits.count) + digits
  }

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

  /// RFC 4648 §6, without padding.
  static func base32(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    var (bits, count) = (0, 0)
    for byte in bytes {
      (bits, count) = (bits << 8 | Int(byte), count + 8)
      while count >= 5 {
        count -= 5
        text.append(alphabet[bits >> count & 31])
      }
      bits &= (1 << count) - 1
    }
    if count > 0 { text.append(alphabet[bits << (5 - count) & 31]) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Nil for a text that isn't Base32.
  static func bytes(base32 text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var (bits, count) = (0, 0)
    for character in text.utf8 {
      guard let value = alphabet.firstIndex(of: character) else { return nil }
      (bits, count) = (bits << 5 | value, count + 5)
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(bits >> count & 0xFF))
      bits &= (1 << count) - 1
    }
    return bytes
  }
}
