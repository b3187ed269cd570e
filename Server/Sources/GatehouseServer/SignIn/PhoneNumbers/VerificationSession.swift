import Crypto
import Foundation
import GatehouseProtocol
import GatehouseTokens

/// The session that begins when a ``VerificationCode`` is requested and ends when it is used. It has
/// an id of 256 random bits. Only the client that requested the code has the id.
///
/// This is the stored record. It contains the SHA-256 of the id, and the HMAC of the code under that
/// id. So a reader of the database learns neither the id nor the code, although there are only a
/// million codes.
package struct VerificationSession: Hashable, Sendable {
  /// SHA-256 of the id.
  package let digest: [UInt8]
  /// HMAC-SHA256 of the code, keyed with the id.
  package let codeDigest: [UInt8]
  /// How often a code was presented that did not end the session.
  package var tries: Int

  /// After this many tries no code is accepted.
  package static let maximumTries = 5

  package init(digest: [UInt8], codeDigest: [UInt8], tries: Int = 0) {
    self.digest = digest
    self.codeDigest = codeDigest
    self.tries = tries
  }

  /// The record of a new session, and the session's id for the client. The record has only the id's
  /// hash.
  static func begin(_ code: VerificationCode) -> (session: VerificationSession, id: String) {
    var generator = SystemRandomNumberGenerator()
    let id = Base64URL.encode(generator.bytes(32))
    let session = VerificationSession(
      digest: Array(SHA256.hash(data: Data(id.utf8))),
      codeDigest: codeDigest(of: code.secret.reveal(), id: id))
    return (session, id)
  }

  /// Nil for a text that is longer than any session's id.
  static func digest(of id: String) -> [UInt8]? {
    guard id.utf8.count <= 128 else { return nil }
    return Array(SHA256.hash(data: Data(id.utf8)))
  }

  /// Compares in constant time, also for a text that can't be a code.
  func isCode(_ text: Secret<String>, id: String) -> Bool {
    constantTimeEquals(codeDigest, Self.codeDigest(of: text.reveal(), id: id))
  }

  private static func codeDigest(of code: String, id: String) -> [UInt8] {
    Array(
      HMAC<SHA256>.authenticationCode(
        for: Data(code.utf8), using: SymmetricKey(data: Data(id.utf8))))
  }
}
