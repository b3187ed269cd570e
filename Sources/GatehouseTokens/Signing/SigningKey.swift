/// A private key of this server, of one of the kinds with which it signs its tokens.
public enum SigningKey: Sendable {
  /// RS256.
  case rsa(RSASigningKey)
  /// ES256.
  case p256(P256SigningKey)

  public var keyID: String {
    switch self {
    case .rsa(let key): key.keyID
    case .p256(let key): key.keyID
    }
  }

  /// The private key as PKCS #8. **Secret**: encrypt it wherever it is stored.
  public var pkcs8DER: [UInt8] {
    switch self {
    case .rsa(let key): key.pkcs8DER
    case .p256(let key): key.pkcs8DER
    }
  }

  /// The public key as SubjectPublicKeyInfo (RFC 5280 §4.1.2.7).
  public var spkiDER: [UInt8] {
    switch self {
    case .rsa(let key): key.spkiDER
    case .p256(let key): key.spkiDER
    }
  }

  /// The key's entry in a key set.
  ///
  /// - Throws: The crypto library's error if it can't read its own key.
  public func publicJWK() throws -> PublicJWK {
    switch self {
    case .rsa(let key): try key.publicJWK()
    case .p256(let key): key.publicJWK
    }
  }
}
