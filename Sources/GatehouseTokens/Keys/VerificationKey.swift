import Crypto
import CryptoExtras
import GatehouseProtocol

/// A public key, parsed once, with the members of its JWK that limit its use (RFC 7517 §4).
public struct VerificationKey: Sendable {
  /// `kid`, compared byte for byte.
  public let keyID: String?

  /// `alg`, which binds the key to one algorithm.
  public let algorithm: SignatureAlgorithm?

  /// `issuer`, a member of Microsoft's keys: the issuer for which the key may sign. See
  /// ``TenantRule``.
  let issuer: String?

  let material: Material

  enum Material: Sendable {
    case rsa(_RSA.Signing.PublicKey)
    case p256(P256.Signing.PublicKey)
    case p384(P384.Signing.PublicKey)
    case p521(P521.Signing.PublicKey)
    case ed25519(Curve25519.Signing.PublicKey)
  }

  init(
    keyID: String?, algorithm: SignatureAlgorithm?, issuer: String? = nil, material: Material
  ) {
    self.keyID = keyID
    self.issuer = issuer
    self.algorithm = algorithm
    self.material = material
  }

  /// Whether the key may verify `algorithm`: its kind must match, and also its `alg` if it has one.
  public func fits(_ algorithm: SignatureAlgorithm) -> Bool {
    if let own = self.algorithm, own != algorithm { return false }
    switch (material, algorithm) {
    case (.rsa, .rs256), (.rsa, .rs384), (.rsa, .rs512), (.rsa, .ps256), (.rsa, .ps384),
      (.rsa, .ps512), (.p256, .es256), (.p384, .es384), (.p521, .es512), (.ed25519, .edDSA):
      return true
    default: return false
    }
  }

  /// The algorithms that the key may verify.
  var algorithms: [SignatureAlgorithm] { SignatureAlgorithm.allCases.filter { fits($0) } }
}

extension VerificationKey {
  /// Whether `other` has the same key id and verifies the same signatures.
  func isSame(as other: VerificationKey) -> Bool {
    switch (keyID, other.keyID) {
    case (nil, nil): break
    case (let one?, let two?): guard one.hasSameBytes(as: two) else { return false }
    default: return false
    }
    return algorithm == other.algorithm && hasSameMaterial(as: other)
  }

  /// Whether `other` is the same public key, and may sign for the same issuer.
  func hasSameMaterial(as other: VerificationKey) -> Bool {
    (issuer ?? "").hasSameBytes(as: other.issuer ?? "") && material.bytes == other.material.bytes
  }
}

extension VerificationKey.Material {
  fileprivate var bytes: [UInt8] {
    switch self {
    case .rsa(let key): Array(key.derRepresentation)
    case .p256(let key): Array(key.x963Representation)
    case .p384(let key): Array(key.x963Representation)
    case .p521(let key): Array(key.x963Representation)
    case .ed25519(let key): Array(key.rawRepresentation)
    }
  }
}

extension KeySet {
  /// Whether `other` has the same usable keys, in any order.
  public func hasSameKeys(as other: KeySet) -> Bool {
    keys.count == other.keys.count
      && keys.allSatisfy { key in other.keys.contains { $0.isSame(as: key) } }
  }
}
