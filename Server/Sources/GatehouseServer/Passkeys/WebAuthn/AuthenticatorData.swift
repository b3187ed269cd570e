import Foundation

/// What an authenticator says about a ceremony and signs (WebAuthn §6.1).
struct AuthenticatorData: Sendable {
  /// SHA-256 of the id of the relying party.
  let relyingPartyHash: [UInt8]
  let flags: Flags
  /// 0 if the authenticator has no counter.
  let signCount: UInt32
  let attested: AttestedCredential?

  struct Flags: OptionSet, Hashable, Sendable {
    let rawValue: UInt8
    static let userPresent = Flags(rawValue: 0x01)
    static let userVerified = Flags(rawValue: 0x04)
    /// The credential may be copied to other devices.
    static let backupEligible = Flags(rawValue: 0x08)
    /// The credential is copied now.
    static let backedUp = Flags(rawValue: 0x10)
    static let hasAttestedCredential = Flags(rawValue: 0x40)
    static let hasExtensions = Flags(rawValue: 0x80)
  }

  /// A credential that the authenticator has just created (§6.5.1).
  struct AttestedCredential: Sendable {
    /// The model of the authenticator; all zeros if it doesn't say.
    let aaguid: UUID
    let id: [UInt8]
    let key: COSEKey
    /// As the authenticator wrote it.
    let keyBytes: [UInt8]
  }

  /// "Credential IDs … at most 1023 bytes" (§4, "Credential ID").
  static let maximumIDBytes = 1023
  private static let headBytes = 37

  /// - Throws: ``WebAuthnFault/authenticatorData``, ``WebAuthnFault/cbor(_:)``,
  ///   ``WebAuthnFault/backupFlags``, and what the initializer of ``COSEKey`` throws.
  init(_ bytes: [UInt8]) throws(WebAuthnFault) {
    guard bytes.count >= Self.headBytes else { throw .authenticatorData }
    relyingPartyHash = Array(bytes[..<32])
    flags = Flags(rawValue: bytes[32])
    signCount = bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
    // "If the BE bit of the flags in authData is not set, verify that the BS bit is not set" (§7.1).
    guard flags.contains(.backupEligible) || !flags.contains(.backedUp) else { throw .backupFlags }
    var offset = Self.headBytes
    attested =
      flags.contains(.hasAttestedCredential) ? try Self.credential(in: bytes, at: &offset) : nil
    if flags.contains(.hasExtensions) {
      guard case .map = try Self.item(in: bytes, at: &offset) else { throw .authenticatorData }
    }
    guard offset == bytes.count else { throw .authenticatorData }
  }

  private static func credential(
    in bytes: [UInt8], at offset: inout Int
  ) throws(WebAuthnFault) -> AttestedCredential {
    guard bytes.count - offset >= 18 else { throw .authenticatorData }
    let aaguid = UUID(bytes: bytes[offset..<(offset + 16)])
    let length = Int(bytes[offset + 16]) << 8 | Int(bytes[offset + 17])
    offset += 18
    guard (1...maximumIDBytes).contains(length), bytes.count - offset >= length else {
      throw .authenticatorData
    }
    let id = Array(bytes[offset..<(offset + length)])
    offset += length
    let start = offset
    let key = try COSEKey(try item(in: bytes, at: &offset))
    return AttestedCredential(
      aaguid: aaguid, id: id, key: key, keyBytes: Array(bytes[start..<offset]))
  }

  private static func item(
    in bytes: [UInt8], at offset: inout Int
  ) throws(WebAuthnFault) -> CBOR {
    var reader = CBORReader(bytes, at: offset)
    do throws(CBORError) {
      let item = try reader.next()
      offset = reader.offset
      return item
    } catch {
      throw .cbor(error)
    }
  }
}

extension UUID {
  /// - Parameter bytes: 16.
  init(bytes: some Collection<UInt8>) {
    var iterator = bytes.makeIterator()
    func next() -> UInt8 { iterator.next() ?? 0 }
    self.init(
      uuid: (
        next(), next(), next(), next(), next(), next(), next(), next(), next(), next(), next(),
        next(), next(), next(), next(), next()
      ))
  }
}
