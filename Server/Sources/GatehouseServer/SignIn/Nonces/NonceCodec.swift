import Crypto
package import Foundation
import GatehouseProtocol
import GatehouseTokens

/// Writes and reads the nonces that this server issues: `ghn_<time, random, holder, mac>`.
///
/// The mac is HMAC-SHA256 (RFC 2104) under a key derived from the master key, over the project and
/// the fields before it. So a nonce needs no row until it is used, however many are requested. It
/// contains a digest of the holder to which it was issued.
package struct NonceCodec: Sendable {
  private let ring: MasterKeyRing

  /// How long a nonce is valid. Seconds.
  package static let lifetimeSeconds: TimeInterval = 600
  /// The prefix of this server's nonces. A nonce with this prefix is fully checked under any policy: the
  /// client that requested the nonce expects that no other session can use it.
  package static let prefix = "ghn_"

  private static let timeBytes = 8
  private static let randomBytes = 16
  private static let holderBytes = 16

  package init(_ master: MasterKey) { self.init(MasterKeyRing(master)) }

  /// Creates nonces with the ring's current key, and accepts those that the ring's other keys made
  /// before they were replaced.
  package init(_ ring: MasterKeyRing) { self.ring = ring }

  func nonce(for holder: NonceHolder, project: ProjectID, now: Date) -> String {
    var generator = SystemRandomNumberGenerator()
    let milliseconds = UInt64(exactly: (now.timeIntervalSince1970 * 1000).rounded(.down)) ?? 0
    var bytes = (0..<Self.timeBytes).reversed().map { place in
      UInt8(truncatingIfNeeded: milliseconds >> (8 * UInt64(place)))
    }
    bytes += generator.bytes(Self.randomBytes)
    bytes += holder.digest.prefix(Self.holderBytes)
    bytes += HMAC<SHA256>.authenticationCode(
      for: message(bytes, project), using: ring.sealing.key(for: .nonces))
    return Self.prefix + Base64URL.encode(bytes)
  }

  static func isOurs(_ nonce: String) -> Bool { nonce.utf8.starts(with: prefix.utf8) }

  /// Checks a nonce that has ``prefix``, and returns the record by which it is spent.
  ///
  /// Doesn't check whether the nonce was used: the transaction of the sign-in does that, when it
  /// spends the record.
  ///
  /// - Throws: ``AccountsError/nonce(_:)``: not issued here, expired, or issued to another holder,
  ///   in this order.
  func check(
    _ nonce: String, of holder: NonceHolder, project: ProjectID, now: Date
  ) throws(AccountsError) -> SingleUseToken {
    let length = Self.timeBytes + Self.randomBytes + Self.holderBytes
    guard Self.isOurs(nonce),
      let bytes = Base64URL.decode(String(decoding: nonce.utf8.dropFirst(4), as: UTF8.self)),
      bytes.count == length + SHA256.byteCount,
      let key = signer(of: Array(bytes[..<length]), Array(bytes[length...]), project)
    else { throw .nonce(.notIssued) }
    let milliseconds = bytes[..<Self.timeBytes].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let issuedAt = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    guard key.canHaveMade(issuedAt) else { throw .nonce(.notIssued) }
    guard (-1..<Self.lifetimeSeconds).contains(now.timeIntervalSince(issuedAt)) else {
      throw .nonce(.expired)
    }
    // The bearer of the nonce can read the digest in it, so the time of this comparison reveals no
    // secret.
    guard
      bytes[(length - Self.holderBytes)..<length].elementsEqual(
        holder.digest.prefix(Self.holderBytes))
    else { throw .nonce(.otherSession) }
    return SingleUseToken(
      digest: Array(SHA256.hash(data: Data(nonce.utf8))),
      acceptedUntil: issuedAt.addingTimeInterval(Self.lifetimeSeconds))
  }

  private func signer(
    of bytes: [UInt8], _ mac: [UInt8], _ project: ProjectID
  ) -> MasterKeyRing.Derived? {
    ring.derivedKeys.first { key in
      HMAC<SHA256>.isValidAuthenticationCode(
        mac, authenticating: message(bytes, project), using: key.key(for: .nonces))
    }
  }

  private func message(_ bytes: [UInt8], _ project: ProjectID) -> [UInt8] {
    var fields = FieldWriter()
    fields.write(project.text)
    return fields.bytes + bytes
  }
}

/// The holder of a nonce. Only the holder may use it.
enum NonceHolder {
  /// A signed-in client. With the nonce it must send an ID token of this session.
  case session(SessionID)
  /// A client that isn't signed in yet. With the nonce it must send the session id that it got with the
  /// nonce. No nonce is issued to an empty session id.
  case handle(String)

  var digest: [UInt8] {
    var fields = FieldWriter()
    switch self {
    case .session(let id):
      fields.write("session")
      fields.write(id.description)
    case .handle(let text):
      fields.write("handle")
      fields.write(text)
    }
    return Array(SHA256.hash(data: Data(fields.bytes)))
  }
}
