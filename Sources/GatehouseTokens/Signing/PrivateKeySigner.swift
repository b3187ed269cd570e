import Crypto
import CryptoExtras
import GatehouseProtocol

/// Signs with a private key from a provider's configuration: for the assertions with which we
/// authenticate to the provider.
///
/// P-256, P-384 and P-521 have one algorithm each (RFC 7518 §3.4). RSA keys have 2048 to 8192 bits
/// and sign with PKCS #1 or PSS (§3.3, §3.5).
public struct PrivateKeySigner: TokenSigner {
  public let algorithm: SignatureAlgorithm
  public let keyID: String
  private let key: Key

  private enum Key: Sendable {
    case p256(P256.Signing.PrivateKey)
    case p384(P384.Signing.PrivateKey)
    case p521(P521.Signing.PrivateKey)
    case rsa(_RSA.Signing.PrivateKey)

    /// The usual one first.
    var algorithms: [SignatureAlgorithm] {
      switch self {
      case .p256: [.es256]
      case .p384: [.es384]
      case .p521: [.es512]
      case .rsa: [.rs256, .ps256, .rs384, .ps384, .rs512, .ps512]
      }
    }
  }

  private static let maximumRSABits = 8192

  /// - Parameters:
  ///   - pem: PKCS #8, SEC 1 or PKCS #1, not encrypted.
  ///   - keyID: `kid`; if nil, the key's SHA-256 thumbprint (RFC 7638).
  ///   - algorithm: An algorithm that fits the key; if nil, the usual one, for RSA `RS256`.
  /// - Throws: ``PrivateKeyError``.
  public init(
    pem: String, keyID: String? = nil, algorithm: SignatureAlgorithm? = nil
  ) throws(PrivateKeyError) {
    // Files from Windows end their lines in CR LF, which RFC 7468 §3 allows.
    let text = String(decoding: pem.utf8.filter { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
    guard let key = Self.key(text) else { throw .form }
    let algorithm = algorithm ?? key.algorithms[0]
    guard key.algorithms.contains(algorithm) else { throw .algorithm }
    self.key = key
    self.algorithm = algorithm
    if let keyID {
      self.keyID = keyID
    } else {
      self.keyID = try Self.thumbprint(of: key)
    }
  }

  private static func key(_ pem: String) -> Key? {
    if let key = try? P256.Signing.PrivateKey(pemRepresentation: pem) { return .p256(key) }
    if let key = try? P384.Signing.PrivateKey(pemRepresentation: pem) { return .p384(key) }
    if let key = try? P521.Signing.PrivateKey(pemRepresentation: pem) { return .p521(key) }
    // The initializer refuses keys under 2048 bits.
    if let key = try? _RSA.Signing.PrivateKey(pemRepresentation: pem),
      key.keySizeInBits <= maximumRSABits
    {
      return .rsa(key)
    }
    return nil
  }

  public func sign(_ message: [UInt8]) throws -> [UInt8] {
    switch key {
    case .p256(let key): return Array(try key.signature(for: message).rawRepresentation)
    case .p384(let key): return Array(try key.signature(for: message).rawRepresentation)
    case .p521(let key): return Array(try key.signature(for: message).rawRepresentation)
    case .rsa(let key):
      return switch algorithm {
      case .rs384: try Self.sign(SHA384.hash(data: message), key, .insecurePKCS1v1_5)
      case .rs512: try Self.sign(SHA512.hash(data: message), key, .insecurePKCS1v1_5)
      case .ps256: try Self.sign(SHA256.hash(data: message), key, .PSS)
      case .ps384: try Self.sign(SHA384.hash(data: message), key, .PSS)
      case .ps512: try Self.sign(SHA512.hash(data: message), key, .PSS)
      default: try Self.sign(SHA256.hash(data: message), key, .insecurePKCS1v1_5)
      }
    }
  }

  private static func sign(
    _ digest: some Digest, _ key: _RSA.Signing.PrivateKey, _ padding: _RSA.Signing.Padding
  ) throws -> [UInt8] {
    Array(try key.signature(for: digest, padding: padding).rawRepresentation)
  }

  // MARK: The public key

  /// The key set document for the verifying party (RFC 7517 §5). It holds only the public key.
  ///
  /// - Throws: ``PrivateKeyError/form`` if the crypto library can't read its own key.
  public func publicKeySet() throws(PrivateKeyError) -> [UInt8] {
    let parameters = try Self.parameters(of: key)
    var writer = JSONWriter()
    writer.object {
      $0.array("keys") { keys in
        keys.object { jwk in
          for (name, value) in parameters { jwk.member(name, value) }
          jwk.member("use", "sig")
          jwk.member("alg", algorithm.rawValue)
          jwk.member("kid", keyID)
        }
      }
    }
    return writer.bytes
  }

  /// The required members of the key's JWK, in lexicographic order (RFC 7638 §3.2).
  private static func parameters(
    of key: Key
  ) throws(PrivateKeyError) -> [(name: String, value: String)] {
    switch key {
    case .p256(let key): return curve("P-256", Array(key.publicKey.rawRepresentation))
    case .p384(let key): return curve("P-384", Array(key.publicKey.rawRepresentation))
    case .p521(let key): return curve("P-521", Array(key.publicKey.rawRepresentation))
    case .rsa(let key):
      guard let primitives = try? key.publicKey.getKeyPrimitives() else { throw .form }
      // "Base64urlUInt": no leading zeros (RFC 7518 §2).
      return [
        ("e", Base64URL.encode(Array(primitives.publicExponent.drop { $0 == 0 }))),
        ("kty", "RSA"), ("n", Base64URL.encode(Array(primitives.modulus.drop { $0 == 0 }))),
      ]
    }
  }

  /// - Parameter point: x and y, each of the curve's full length (RFC 7518 §6.2.1.2).
  private static func curve(_ name: String, _ point: [UInt8]) -> [(name: String, value: String)] {
    let half = point.count / 2
    return [
      ("crv", name), ("kty", "EC"), ("x", Base64URL.encode(Array(point[..<half]))),
      ("y", Base64URL.encode(Array(point[half...]))),
    ]
  }

  /// RFC 7638 §3: SHA-256 of the required members, in order and without white space.
  private static func thumbprint(of key: Key) throws(PrivateKeyError) -> String {
    var writer = JSONWriter()
    let parameters = try parameters(of: key)
    writer.object { for (name, value) in parameters { $0.member(name, value) } }
    return Base64URL.encode(Array(SHA256.hash(data: writer.bytes)))
  }
}

/// Why a private key is refused. The error holds nothing of the text, which may be a secret.
public enum PrivateKeyError: Error, Sendable, Hashable {
  /// Not an unencrypted private key in PEM, or a key of an unsupported kind or size.
  case form
  /// The algorithm doesn't fit the kind of key.
  case algorithm
}
