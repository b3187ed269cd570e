import Crypto
import CryptoExtras
import Foundation
import GatehouseTokens

/// A credential's public key in the form of COSE (RFC 9053), as WebAuthn §5.8.5 and §6.5.1.1 allow it.
struct COSEKey: Sendable {
  let algorithm: COSEAlgorithm
  private let material: Material

  private enum Material: Sendable {
    case es256(P256.Signing.PublicKey)
    case rs256(_RSA.Signing.PublicKey)
    case ed25519(Curve25519.Signing.PublicKey)
  }

  /// Labels of a key's parameters (RFC 9052 §7.1, RFC 9053 §7, RFC 8230 §4).
  private enum Label {
    static let keyType = CBOR.unsigned(1)
    static let algorithm = CBOR.unsigned(3)
    static let curve = CBOR.negative(0)
    static let x = CBOR.negative(1)
    static let y = CBOR.negative(2)
    static let modulus = CBOR.negative(0)
    static let exponent = CBOR.negative(1)
  }

  /// - Throws: ``WebAuthnFault/algorithm(_:)`` for an algorithm that isn't asked for, and
  ///   ``WebAuthnFault/publicKey``.
  init(_ item: CBOR) throws(WebAuthnFault) {
    guard case .map(let parameters) = item, let number = item[Label.algorithm]?.integer else {
      throw .publicKey
    }
    guard let algorithm = COSEAlgorithm(rawValue: number) else { throw .algorithm(number) }
    self.algorithm = algorithm
    // "The encoded credential public key … MUST NOT contain any other OPTIONAL parameters" (§6.5.1.1).
    guard item[Label.keyType] == .unsigned(algorithm.keyType),
      parameters.count == algorithm.parameterCount
    else { throw .publicKey }
    let material: Material? =
      switch algorithm {
      case .es256: Self.p256(item)
      case .rs256: Self.rsa(item)
      case .edDSA: Self.ed25519(item)
      }
    guard let material else { throw .publicKey }
    self.material = material
  }

  /// Reads a stored key.
  init(_ bytes: [UInt8]) throws(WebAuthnFault) {
    guard let item = try? CBORReader.read(bytes) else { throw .publicKey }
    try self.init(item)
  }

  /// Uncompressed: "keys with algorithm ES256 … MUST specify P-256 as the crv parameter and MUST NOT use
  /// the compressed point form" (§5.8.5). The crypto library refuses points that aren't on the curve.
  private static func p256(_ item: CBOR) -> Material? {
    guard item[Label.curve] == .unsigned(1), let x = item[Label.x]?.bytes, x.count == 32,
      let y = item[Label.y]?.bytes, y.count == 32,
      let key = try? P256.Signing.PublicKey(x963Representation: [4] + x + y)
    else { return nil }
    return .es256(key)
  }

  private static func ed25519(_ item: CBOR) -> Material? {
    guard item[Label.curve] == .unsigned(6), let x = item[Label.x]?.bytes, x.count == 32,
      let key = try? Curve25519.Signing.PublicKey(rawRepresentation: x)
    else { return nil }
    return .ed25519(key)
  }

  /// The rules of a registered RSA key hold: ``VerificationKey/init(spkiDER:)`` refuses keys that are too
  /// short, too long or of the flawed generator that some TPMs have.
  private static func rsa(_ item: CBOR) -> Material? {
    guard let modulus = item[Label.modulus]?.bytes, modulus.first != 0,
      (256...1024).contains(modulus.count),
      let exponent = item[Label.exponent]?.bytes, exponent.first != 0,
      (1...4).contains(exponent.count),
      let key = try? _RSA.Signing.PublicKey(n: modulus, e: exponent),
      (try? VerificationKey(spkiDER: Array(key.derRepresentation))) != nil
    else { return nil }
    return .rs256(key)
  }

  /// Whether `signature` is the key's signature of `message`, in the form of WebAuthn §6.5.5: an ECDSA
  /// signature is DER.
  func isValid(_ signature: [UInt8], of message: [UInt8]) -> Bool {
    switch material {
    case .es256(let key):
      guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature) else {
        return false
      }
      return key.isValidSignature(signature, for: SHA256.hash(data: message))
    case .rs256(let key):
      return signature.count == (key.keySizeInBits + 7) / 8
        && key.isValidSignature(
          _RSA.Signing.RSASignature(rawRepresentation: signature), for: SHA256.hash(data: message),
          padding: .insecurePKCS1v1_5)
    case .ed25519(let key):
      return signature.count == 64 && key.isValidSignature(signature, for: message)
    }
  }
}

/// The signature algorithms that registrations ask for, in the order of preference. The raw values are those
/// of the IANA registry "COSE Algorithms".
enum COSEAlgorithm: Int, CaseIterable, Sendable {
  case es256 = -7
  /// With Ed25519 only.
  case edDSA = -8
  case rs256 = -257

  fileprivate var keyType: UInt64 {
    switch self {
    case .edDSA: 1
    case .es256: 2
    case .rs256: 3
    }
  }

  fileprivate var parameterCount: Int { self == .es256 ? 5 : 4 }
}
