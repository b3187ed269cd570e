import CryptoExtras
import GatehouseProtocol

/// An RSA private key for signing our own tokens, and its public forms.
public struct RSASigningKey: Sendable {
  /// See `VerificationKey.ownKeyID(ofDER:)`: the same key always has the same `kid`.
  public let keyID: String

  let privateKey: _RSA.Signing.PrivateKey

  var publicKey: _RSA.Signing.PublicKey { privateKey.publicKey }

  /// A new key of 2048 bits. Takes some tenths of a second.
  public static func generate() throws -> RSASigningKey {
    RSASigningKey(try _RSA.Signing.PrivateKey(keySize: .bits2048))
  }

  /// Reads a private key in PEM, PKCS #8 or PKCS #1, of at least 2048 bits.
  public init(pem: String) throws {
    self.init(try _RSA.Signing.PrivateKey(pemRepresentation: pem))
  }

  /// Reads a private key in DER, PKCS #8 or PKCS #1, of at least 2048 bits.
  public init(der: [UInt8]) throws {
    self.init(try _RSA.Signing.PrivateKey(derRepresentation: der))
  }

  private init(_ privateKey: _RSA.Signing.PrivateKey) {
    self.privateKey = privateKey
    keyID = VerificationKey.ownKeyID(ofDER: Array(privateKey.publicKey.derRepresentation))
  }

  /// The private key as PKCS #8. **Secret**: encrypt it wherever it is stored.
  public var pkcs8PEM: String { privateKey.pkcs8PEMRepresentation }

  /// The private key as PKCS #8. **Secret**: encrypt it wherever it is stored.
  public var pkcs8DER: [UInt8] { Array(privateKey.pkcs8DERRepresentation) }

  /// The public key as SubjectPublicKeyInfo (RFC 5280 §4.1.2.7).
  public var spkiDER: [UInt8] { Array(publicKey.derRepresentation) }

  public var spkiPEM: String { publicKey.pemRepresentation }

  /// The key's entry in a key set.
  ///
  /// - Throws: The crypto library's error if it can't read its own key.
  public func publicJWK() throws -> PublicJWK {
    let primitives = try publicKey.getKeyPrimitives()
    return PublicJWK(
      keyID: keyID,
      material: .rsa(
        modulus: Array(primitives.modulus), exponent: Array(primitives.publicExponent)))
  }
}

extension VerificationKey {
  /// The key that verifies what `key` signs.
  public init(_ key: RSASigningKey) {
    self.init(keyID: key.keyID, algorithm: .rs256, material: .rsa(key.publicKey))
  }
}
