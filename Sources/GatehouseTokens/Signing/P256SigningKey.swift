import Crypto

/// A P-256 private key for signing our own tokens with ES256, and its public forms.
public struct P256SigningKey: Sendable {
  /// See `VerificationKey.ownKeyID(ofDER:)`: the same key always has the same `kid`.
  public let keyID: String

  let privateKey: P256.Signing.PrivateKey

  var publicKey: P256.Signing.PublicKey { privateKey.publicKey }

  public static func generate() -> P256SigningKey { P256SigningKey(P256.Signing.PrivateKey()) }

  /// Reads a private key in DER: PKCS #8 or SEC 1.
  public init(der: [UInt8]) throws {
    self.init(try P256.Signing.PrivateKey(derRepresentation: der))
  }

  private init(_ privateKey: P256.Signing.PrivateKey) {
    self.privateKey = privateKey
    keyID = VerificationKey.ownKeyID(ofDER: Array(privateKey.publicKey.derRepresentation))
  }

  /// The private key as PKCS #8. **Secret**: encrypt it wherever it is stored.
  public var pkcs8DER: [UInt8] { Array(privateKey.derRepresentation) }

  /// The public key as SubjectPublicKeyInfo (RFC 5280 §4.1.2.7).
  public var spkiDER: [UInt8] { Array(publicKey.derRepresentation) }

  /// The key's entry in a key set.
  public var publicJWK: PublicJWK {
    let point = Array(publicKey.rawRepresentation)
    return PublicJWK(
      keyID: keyID, material: .p256(x: Array(point.prefix(32)), y: Array(point.suffix(32))))
  }
}

extension VerificationKey {
  /// The key that verifies what `key` signs.
  public init(_ key: P256SigningKey) {
    self.init(keyID: key.keyID, algorithm: .es256, material: .p256(key.publicKey))
  }
}
