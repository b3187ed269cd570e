import Crypto
import CryptoExtras

/// Signs bytes with one private key. Implementations are safe to use from many threads at once.
public protocol TokenSigner: Sendable {
  var algorithm: SignatureAlgorithm { get }

  /// The `kid` of the header.
  var keyID: String { get }

  /// The JWS signature of `message` (RFC 7515 §5.1, 5), not encoded.
  func sign(_ message: [UInt8]) throws -> [UInt8]
}

/// RS256 with swift-crypto. The server uses it only if libcrypto can't read a key: signing with
/// libcrypto can be faster.
public struct RS256Signer: TokenSigner {
  private let key: RSASigningKey

  public var algorithm: SignatureAlgorithm { .rs256 }
  public var keyID: String { key.keyID }

  public init(key: RSASigningKey) { self.key = key }

  public func sign(_ message: [UInt8]) throws -> [UInt8] {
    let signature = try key.privateKey.signature(
      for: SHA256.hash(data: message), padding: .insecurePKCS1v1_5)
    return Array(signature.rawRepresentation)
  }
}

/// ES256 with a P-256 key: our own, or one such as Apple issues for client secrets (a `.p8` file).
public struct ES256Signer: TokenSigner {
  public let keyID: String
  private let key: P256.Signing.PrivateKey

  public var algorithm: SignatureAlgorithm { .es256 }

  /// - Parameters:
  ///   - pem: The private key, PKCS #8 (`BEGIN PRIVATE KEY`) or SEC 1.
  ///   - keyID: The key's id at the provider. Apple's ids have ten characters.
  /// - Throws: ``ES256KeyError`` if `pem` isn't a P-256 private key.
  public init(pem: String, keyID: String) throws(ES256KeyError) {
    // Files from Windows end their lines in CR LF, which RFC 7468 §3 allows.
    let text = String(decoding: pem.utf8.filter { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
    guard let key = try? P256.Signing.PrivateKey(pemRepresentation: text) else {
      throw ES256KeyError()
    }
    self.key = key
    self.keyID = keyID
  }

  public init(key: P256SigningKey) {
    self.key = key.privateKey
    keyID = key.keyID
  }

  /// r‖s, 64 bytes (RFC 7518 §3.4).
  public func sign(_ message: [UInt8]) throws -> [UInt8] {
    Array(try key.signature(for: message).rawRepresentation)
  }
}

/// A text is not a P-256 private key in PEM. The error holds nothing of the text, which may be a
/// secret.
public struct ES256KeyError: Error, Sendable, Hashable, CustomStringConvertible {
  public init() {}

  public var description: String {
    "not a P-256 private key in PEM (-----BEGIN PRIVATE KEY-----)"
  }
}
