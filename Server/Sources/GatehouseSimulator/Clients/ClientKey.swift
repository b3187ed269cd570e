import Crypto
import CryptoExtras
import Foundation

/// A public key of a client, from a JWK (RFC 7517 §4): RSA of at least 2048 bits, or P-256.
struct ClientKey: Sendable {
  let id: String?
  private let key: Kind

  private enum Kind: Sendable {
    case rsa(_RSA.Signing.PublicKey)
    case p256(P256.Signing.PublicKey)
  }

  /// An algorithm that may sign an assertion. The raw value is the `alg`.
  enum Algorithm: String, Sendable, CaseIterable {
    case rs256 = "RS256"
    case ps256 = "PS256"
    case es256 = "ES256"
  }

  /// - Throws: `invalid_request` for any other kind of key.
  init(_ jwk: JSONValue) throws(SimulatorError) {
    func bytes(_ member: String) -> Data? {
      jwk[member]?.stringValue.flatMap { Base64URL.bytes($0) }
    }
    id = jwk["kid"]?.stringValue
    switch jwk["kty"]?.stringValue {
    case "RSA":
      guard let n = bytes("n"), let e = bytes("e"), n.count >= 256,
        let key = try? _RSA.Signing.PublicKey(n: n, e: e)
      else { throw .invalidRequest("An RSA key of \"jwks\" is invalid or shorter than 2048 bits.") }
      self.key = .rsa(key)
    case "EC":
      guard jwk["crv"]?.stringValue == "P-256", let x = bytes("x"), let y = bytes("y"),
        let key = try? P256.Signing.PublicKey(rawRepresentation: x + y)
      else { throw .invalidRequest("An EC key of \"jwks\" is invalid or not on P-256.") }
      self.key = .p256(key)
    default:
      throw .invalidRequest("The keys of \"jwks\" must have the \"kty\" RSA or EC.")
    }
  }

  func isSigned(_ input: Data, _ signature: Data, _ algorithm: Algorithm) -> Bool {
    switch (key, algorithm) {
    case (.rsa(let key), .rs256):
      key.isValidSignature(
        _RSA.Signing.RSASignature(rawRepresentation: signature), for: SHA256.hash(data: input),
        padding: .insecurePKCS1v1_5)
    case (.rsa(let key), .ps256):
      key.isValidSignature(
        _RSA.Signing.RSASignature(rawRepresentation: signature), for: SHA256.hash(data: input),
        padding: .PSS)
    case (.p256(let key), .es256):
      (try? P256.Signing.ECDSASignature(rawRepresentation: signature)).map {
        key.isValidSignature($0, for: input)
      } ?? false
    default: false
    }
  }
}
