import Crypto
import Foundation
import GatehouseProtocol

/// What a ``TestAuthenticator`` answers, as bytes. The readers accept only what the writers write.
///
/// Source: WebAuthn Level 3, §5.8.1 (client data), §6.1 (authenticator data), §6.5.4 (attestation object).
enum WebAuthnBytes {
  enum Ceremony: String {
    case create = "webauthn.create"
    case get = "webauthn.get"
  }

  // MARK: Client data

  static func clientData(
    _ ceremony: Ceremony, _ challenge: Data, relyingPartyID: String
  ) -> Data {
    let base64URL = challenge.base64EncodedString()
      .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
      .replacingOccurrences(of: "=", with: "")
    let members: JSONObject = [
      "type": .string(ceremony.rawValue), "challenge": .string(base64URL),
      "origin": .string("https://\(relyingPartyID)"), "crossOrigin": .bool(false),
    ]
    return Data(members.serialized())
  }

  /// The challenge in the client data of `ceremony`.
  static func challenge(_ clientData: Data, _ ceremony: Ceremony) -> Data? {
    guard let members = try? JSONObject(parsing: Array(clientData)),
      members["type"]?.string == ceremony.rawValue
    else { return nil }
    return members["challenge"]?.string.flatMap { text in
      let base64 = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(
        of: "_", with: "/")
      let padding = String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
      return Data(base64Encoded: base64 + padding)
    }
  }

  // MARK: Authenticator data

  private static let userPresent: UInt8 = 1
  private static let userVerified: UInt8 = 4
  private static let hasAttestedCredential: UInt8 = 0x40
  private static let hashBytes = 32

  static func authenticatorData(_ relyingPartyID: String, verifiesUser: Bool) -> Data {
    authenticatorData(relyingPartyID, userPresent | (verifiesUser ? userVerified : 0))
  }

  private static func authenticatorData(_ relyingPartyID: String, _ flags: UInt8) -> Data {
    Data(SHA256.hash(data: Data(relyingPartyID.utf8))) + Data([flags, 0, 0, 0, 0])
  }

  /// Whether the authenticator verified the user. Nil if the data is that of another relying party.
  static func isUserVerified(_ data: Data, relyingPartyID: String) -> Bool? {
    let data = Array(data)
    let hash = Array(SHA256.hash(data: Data(relyingPartyID.utf8)))
    guard data.count > hashBytes, data.starts(with: hash) else { return nil }
    return data[hashBytes] & userVerified != 0
  }

  // MARK: Attestation

  /// `{"fmt": "none", "attStmt": {}, "authData": bytes}` in CBOR, up to the length of the bytes.
  private static let beforeAuthenticatorData = {
    var bytes: [UInt8] = [0xA3, 0x63] + Array("fmt".utf8) + [0x64]
    bytes += Array("none".utf8) + [0x67] + Array("attStmt".utf8) + [0xA0, 0x68]
    bytes += Array("authData".utf8) + [0x58]
    return Data(bytes)
  }()
  private static let coordinateBytes = 32

  static func attestationObject(
    _ credentialID: Data, _ key: P256.Signing.PublicKey, relyingPartyID: String, verifiesUser: Bool
  ) -> Data {
    let flags = userPresent | hasAttestedCredential | (verifiesUser ? userVerified : 0)
    let point = key.rawRepresentation
    let anyModel = [UInt8](repeating: 0, count: 16)
    // A COSE key: EC2, ES256, P-256, x, y.
    let start: [UInt8] = [0xA5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]
    var data = authenticatorData(relyingPartyID, flags)
    data += anyModel + [0, UInt8(credentialID.count)]
    data += credentialID
    data += start + Array(point.prefix(coordinateBytes))
    data += [0x22, 0x58, 0x20] + Array(point.suffix(coordinateBytes))
    return beforeAuthenticatorData + Data([UInt8(data.count)]) + data
  }

  /// The authenticator data and the public key of an attestation object.
  static func attested(_ object: Data) -> (data: Data, key: P256.Signing.PublicKey)? {
    let start = beforeAuthenticatorData.count + 1
    guard object.starts(with: beforeAuthenticatorData), object.count > start + hashBytes else {
      return nil
    }
    let point = object.suffix(2 * coordinateBytes + 3)
    let key = try? P256.Signing.PublicKey(
      rawRepresentation: point.prefix(coordinateBytes) + point.suffix(coordinateBytes))
    return key.map { (Data(object.dropFirst(start)), $0) }
  }

  static func isSignature(
    _ signature: Data, of data: Data, _ clientData: Data, by key: P256.Signing.PublicKey
  ) -> Bool {
    guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature) else {
      return false
    }
    return key.isValidSignature(signature, for: data + SHA256.hash(data: clientData))
  }
}
