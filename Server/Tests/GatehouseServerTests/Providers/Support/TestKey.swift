import Crypto
import CryptoExtras
import GatehouseProtocol
import GatehouseTokens

/// A provider's signing key. It signs with swift-crypto directly, so that a fault of our writer
/// can't hide a fault of our verifier.
struct TestKey: Sendable {
  enum Material: Sendable {
    case rsa(_RSA.Signing.PrivateKey)
    case p256(P256.Signing.PrivateKey)
    /// A client's secret, which is never in a key set.
    case secret(String)
  }

  let id: String?
  let material: Material

  static func secret(_ secret: String) -> TestKey {
    TestKey(id: nil, material: .secret(secret))
  }

  static func p256(_ id: String?) -> TestKey {
    TestKey(id: id, material: .p256(P256.Signing.PrivateKey()))
  }

  /// Creating RSA keys takes long, so tests share two.
  static let rsa = makeRSA("rsa-1")
  static let otherRSA = makeRSA("rsa-2")

  private static func makeRSA(_ id: String) -> TestKey? {
    guard let key = try? _RSA.Signing.PrivateKey(keySize: .bits2048) else { return nil }
    return TestKey(id: id, material: .rsa(key))
  }

  func named(_ id: String?) -> TestKey { TestKey(id: id, material: material) }

  var algorithm: String {
    switch material {
    case .rsa: "RS256"
    case .p256: "ES256"
    case .secret: "HS256"
    }
  }

  func signature(_ input: [UInt8]) throws -> [UInt8] {
    switch material {
    case .rsa(let key):
      Array(
        try key.signature(for: SHA256.hash(data: input), padding: .insecurePKCS1v1_5)
          .rawRepresentation)
    case .p256(let key):
      Array(try key.signature(for: input).rawRepresentation)
    case .secret(let secret):
      Array(
        HMAC<SHA256>.authenticationCode(
          for: input, using: SymmetricKey(data: Array(secret.utf8))))
    }
  }

  func jwk() throws -> JSONValue {
    var jwk: JSONObject
    switch material {
    case .rsa(let key):
      let primitives = try key.publicKey.getKeyPrimitives()
      jwk = [
        "kty": "RSA", "n": .string(Base64URL.encode(Array(primitives.modulus))),
        "e": .string(Base64URL.encode(Array(primitives.publicExponent))),
      ]
    case .p256(let key):
      let point = Array(key.publicKey.rawRepresentation)
      jwk = [
        "kty": "EC", "crv": "P-256", "x": .string(Base64URL.encode(Array(point[..<32]))),
        "y": .string(Base64URL.encode(Array(point[32...]))),
      ]
    case .secret(let secret):
      jwk = ["kty": "oct", "k": .string(Base64URL.encode(Array(secret.utf8)))]
    }
    jwk["use"] = "sig"
    jwk["alg"] = .string(algorithm)
    if let id { jwk["kid"] = .string(id) }
    return .object(jwk)
  }

  static func set(_ keys: [TestKey]) throws -> [UInt8] {
    JSONValue.object(["keys": .array(try keys.map { try $0.jwk() })]).serialized()
  }

  /// A compact token. `header` members replace the usual ones.
  func token(_ claims: JSONObject, header changes: JSONObject = [:]) throws -> String {
    var header: JSONObject = ["alg": .string(algorithm), "typ": "JWT"]
    if let id { header["kid"] = .string(id) }
    for member in changes.members { header[member.name] = member.value }
    let input =
      Base64URL.encode(header.serialized()) + "." + Base64URL.encode(claims.serialized())
    return input + "." + Base64URL.encode(try signature(Array(input.utf8)))
  }
}
