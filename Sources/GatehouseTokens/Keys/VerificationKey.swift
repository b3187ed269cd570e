import Crypto
import CryptoExtras

/// A public key that is ready to verify with, made from a JWK (RFC 7517 §4) once.
public struct VerificationKey: Sendable {
  /// `kid`, compared byte for byte.
  public let keyID: String?

  /// `alg`, which binds the key to one algorithm.
  public let algorithm: SignatureAlgorithm?

  let material: Material

  enum Material: Sendable {
    case rsa(_RSA.Signing.PublicKey)
    case p256(P256.Signing.PublicKey)
    case p384(P384.Signing.PublicKey)
    case p521(P521.Signing.PublicKey)
    case ed25519(Curve25519.Signing.PublicKey)
  }

  init(keyID: String?, algorithm: SignatureAlgorithm?, material: Material) {
    self.keyID = keyID
    self.algorithm = algorithm
    self.material = material
  }

  /// The key that verifies what `key` signs.
  public init(_ key: RSASigningKey) {
    self.init(keyID: key.keyID, algorithm: .rs256, material: .rsa(key.publicKey))
  }

  /// Whether the key may verify `algorithm`: its kind must match, and its own `alg` where it has one.
  func fits(_ algorithm: SignatureAlgorithm) -> Bool {
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
