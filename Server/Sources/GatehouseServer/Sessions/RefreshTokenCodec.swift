import Crypto
package import Foundation
package import GatehouseProtocol
import GatehouseTokens

/// Writes and reads refresh tokens: `<key id>.<session id>.<rotation>.<mac>`.
///
/// The mac is HMAC-SHA256 (RFC 2104) under a key derived from the master key, over project, session
/// and rotation. So a database row contains no secret, a copy of the database can't be used to
/// create a token, and a forged token is rejected without a lookup.
package struct RefreshTokenCodec: Sendable {
  private let ring: MasterKeyRing

  /// Longer tokens are rejected unread.
  private static let maximumBytes = 256

  package init(_ master: MasterKey) { self.init(MasterKeyRing(master)) }

  /// Creates tokens with the ring's current key, and reads each token with the key that the token
  /// names.
  package init(_ ring: MasterKeyRing) { self.ring = ring }

  package struct Contents: Hashable, Sendable {
    package let session: SessionID
    package let rotation: UInt32
    /// Until when the token's master key was used, if it is a former one: anyone who has that key could
    /// have made the token since. See ``Session/canHaveToken(_:ofKeyUsedUntil:graceSeconds:now:)``.
    package let keyUsedUntil: Date?
  }

  package func token(session: SessionID, rotation: UInt32, project: ProjectID) -> String {
    let key = ring.sealing
    let mac = HMAC<SHA256>.authenticationCode(
      for: message(session: session, rotation: rotation, project: project),
      using: key.key(for: .refresh))
    return "\(key.name).\(session).\(rotation).\(mac.lowercaseHex)"
  }

  /// - Throws: ``AccountsError/invalidRefreshToken`` for every text that this server never issued
  ///   for this project, and for a token whose key the ring no longer holds.
  package func contents(of token: String, project: ProjectID) throws(AccountsError) -> Contents {
    guard token.utf8.count <= Self.maximumBytes else { throw .invalidRefreshToken }
    let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard parts.count == 4, let key = ring.key(name: parts[0]),
      let session = SessionID(parts[1]), let rotation = UInt32(parts[2]),
      String(rotation).hasSameBytes(as: parts[2]), let mac = Hexadecimal.bytes(parts[3]),
      mac.count == SHA256.byteCount,
      HMAC<SHA256>.isValidAuthenticationCode(
        mac, authenticating: message(session: session, rotation: rotation, project: project),
        using: key.key(for: .refresh))
    else { throw .invalidRefreshToken }
    return Contents(session: session, rotation: rotation, keyUsedUntil: key.usedUntil)
  }

  private func message(session: SessionID, rotation: UInt32, project: ProjectID) -> [UInt8] {
    var fields = FieldWriter()
    fields.write(project.text)
    fields.write(session.description)
    fields.write(String(rotation))
    return fields.bytes
  }
}
