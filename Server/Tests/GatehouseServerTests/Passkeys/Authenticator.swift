import Crypto
import Foundation
import GatehouseProtocol
import GatehouseTokens

@testable import GatehouseServer

/// An authenticator with one ES256 credential, in memory.
struct Authenticator: Sendable {
  let credentialID: [UInt8]
  private let key = P256.Signing.PrivateKey()

  init(id: [UInt8] = (0..<16).map { _ in .random(in: 0...255) }) { credentialID = id }

  /// COSE_Key.
  var publicKey: [UInt8] {
    let point = Array(key.publicKey.x963Representation)
    return CBORText.map([
      ([0x01], [0x02]), ([0x03], [0x26]), ([0x20], [0x01]),
      ([0x21], CBORText.bytes(Array(point[1..<33]))),
      ([0x22], CBORText.bytes(Array(point[33..<65]))),
    ])
  }

  static func clientData(_ type: String, _ challenge: [UInt8], origin: String) -> [UInt8] {
    let challenge = Base64URL.encode(challenge)
    return Array(#"{"type":"\#(type)","challenge":"\#(challenge)","origin":"\#(origin)"}"#.utf8)
  }

  func attestationObject(
    relyingPartyID: String, flags: AuthenticatorData.Flags = [.userPresent, .userVerified],
    counter: UInt32 = 0
  ) -> [UInt8] {
    var data = Self.head(relyingPartyID, flags.union(.hasAttestedCredential), counter)
    data += [UInt8](repeating: 0, count: 16)
    data += [UInt8(credentialID.count >> 8), UInt8(credentialID.count & 255)]
    data += credentialID + publicKey
    return CBORText.map([
      (CBORText.text("fmt"), CBORText.text("none")), (CBORText.text("attStmt"), [0xA0]),
      (CBORText.text("authData"), CBORText.bytes(data)),
    ])
  }

  /// The authenticator data and the signature of an assertion.
  func assertion(
    relyingPartyID: String, clientData: [UInt8],
    flags: AuthenticatorData.Flags = [.userPresent, .userVerified], counter: UInt32 = 0
  ) throws -> (data: [UInt8], signature: [UInt8]) {
    let data = Self.head(relyingPartyID, flags, counter)
    let signature = try key.signature(for: data + Array(SHA256.hash(data: clientData)))
    return (data, Array(signature.derRepresentation))
  }

  @discardableResult
  func register(
    _ ceremony: PasskeyCeremony, flags: AuthenticatorData.Flags = [.userPresent, .userVerified]
  ) throws(WebAuthnFault) -> CreatedCredential {
    try ceremony.verifyRegistration(
      id: credentialID,
      clientDataJSON: Self.clientData(
        "webauthn.create", ceremony.challenge, origin: ceremony.relyingParty.origins[0]),
      attestationObject: attestationObject(relyingPartyID: ceremony.relyingParty.id, flags: flags))
  }

  private static func head(
    _ id: String, _ flags: AuthenticatorData.Flags, _ counter: UInt32
  ) -> [UInt8] {
    let count = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: counter >> $0) }
    return Array(SHA256.hash(data: Array(id.utf8))) + [flags.rawValue] + count
  }
}

/// Writes CBOR, for items of less than 64 KiB.
enum CBORText {
  static func text(_ text: String) -> [UInt8] { head(3, text.utf8.count) + Array(text.utf8) }
  static func bytes(_ bytes: [UInt8]) -> [UInt8] { head(2, bytes.count) + bytes }
  static func map(_ entries: [(key: [UInt8], value: [UInt8])]) -> [UInt8] {
    head(5, entries.count) + entries.flatMap { $0.key + $0.value }
  }

  private static func head(_ major: UInt8, _ count: Int) -> [UInt8] {
    switch count {
    case ..<24: [major << 5 | UInt8(count)]
    case ..<256: [major << 5 | 24, UInt8(count)]
    default: [major << 5 | 25, UInt8(count >> 8), UInt8(count & 255)]
    }
  }
}
