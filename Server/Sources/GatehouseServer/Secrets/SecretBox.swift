import Crypto
import Foundation
import GatehouseTokens

/// AES-256-GCM (NIST SP 800-38D) with random 96-bit nonces.
///
/// The format is one version byte, the key's id (4), the nonce (12), the ciphertext and the tag
/// (16). Additional data binds a ciphertext to its place. With random nonces one key must not encrypt
/// more than 2³² messages (SP 800-38D §8.3): a thousand a second for seven weeks.
package struct SecretBox: SecretSealing {
  private let ring: MasterKeyRing
  private let purpose: MasterKey.Purpose

  private static let version: UInt8 = 1

  package init(_ master: MasterKey) { self.init(MasterKeyRing(master)) }

  /// Encrypts with the ring's current key, and decrypts with the key that the ciphertext names.
  package init(_ ring: MasterKeyRing) { self.init(ring, purpose: .secrets) }

  init(_ ring: MasterKeyRing, purpose: MasterKey.Purpose) {
    self.ring = ring
    self.purpose = purpose
  }

  package func seal(_ plaintext: [UInt8], at place: SealedPlace) throws -> [UInt8] {
    try seal(plaintext, bound: place.additionalData)
  }

  package func open(_ sealed: [UInt8], at place: SealedPlace) throws -> [UInt8] {
    guard let plaintext = open(sealed, bound: place.additionalData) else {
      throw StoreError.damaged(
        "\(place.column.rawValue) of “\(place.row)” can't be decrypted with this master key")
    }
    return plaintext
  }

  func seal(_ plaintext: [UInt8], bound additionalData: [UInt8]) throws -> [UInt8] {
    let key = ring.sealing
    let box = try AES.GCM.seal(
      plaintext, using: key.key(for: purpose), authenticating: additionalData)
    return [Self.version] + key.master.id + Array(box.nonce) + box.ciphertext + box.tag
  }

  /// Nil if the value was encrypted under a key that isn't held or for another place, or if it was
  /// changed.
  private func open(_ sealed: [UInt8], bound additionalData: [UInt8]) -> [UInt8]? {
    decrypt(sealed, bound: additionalData)?.plaintext
  }

  fileprivate func decrypt(
    _ sealed: [UInt8], bound additionalData: [UInt8]
  ) -> (plaintext: [UInt8], key: MasterKeyRing.Derived)? {
    guard sealed.count >= 33, sealed[0] == Self.version,
      let key = ring.key(id: sealed[1..<5]),
      let nonce = try? AES.GCM.Nonce(data: sealed[5..<17]),
      let box = try? AES.GCM.SealedBox(
        nonce: nonce, ciphertext: sealed[17..<(sealed.count - 16)], tag: sealed.suffix(16)),
      let plaintext = try? AES.GCM.open(
        box, using: key.key(for: purpose), authenticating: additionalData)
    else { return nil }
    return (Array(plaintext), key)
  }
}

/// Encrypts what a client keeps for some minutes and presents again, such as a pending token. It contains
/// the time at which it was written.
struct TokenBox {
  private let box: SecretBox

  init(_ ring: MasterKeyRing, purpose: MasterKey.Purpose) {
    box = SecretBox(ring, purpose: purpose)
  }

  /// - Parameters:
  ///   - writtenAt: Kept to the millisecond.
  ///   - bound: Tells this kind of token from others, and usually its project from others.
  /// - Returns: Base64url without padding.
  func seal(_ fields: FieldWriter, writtenAt: Date, bound: String) throws -> String {
    var all = FieldWriter()
    all.write(writtenAt)
    return Base64URL.encode(try box.seal(all.bytes + fields.bytes, bound: Array(bound.utf8)))
  }

  enum Refusal: Error {
    /// Not written by this server for this use, or dated after its master key was replaced: anyone who
    /// has a former key could write that.
    case notIssued
    /// Older than its lifetime, or from the future.
    case expired
  }

  func open(
    _ text: some StringProtocol, bound: String, lifetimeSeconds: TimeInterval, now: Date
  ) throws(Refusal) -> (fields: FieldReader, writtenAt: Date) {
    guard let sealed = Base64URL.decode(String(text)),
      let (plaintext, key) = box.decrypt(sealed, bound: Array(bound.utf8))
    else { throw .notIssued }
    var fields = FieldReader(plaintext)
    guard let writtenAt = try? fields.date(), key.canHaveMade(writtenAt) else { throw .notIssued }
    guard (-1..<lifetimeSeconds).contains(now.timeIntervalSince(writtenAt)) else { throw .expired }
    return (fields, writtenAt)
  }
}

extension SealedPlace {
  /// The four names with their lengths, so that no two places have the same encoding.
  var additionalData: [UInt8] {
    var fields = FieldWriter()
    for name in [column.table, project, row, column.name] { fields.write(name) }
    return fields.bytes
  }
}
