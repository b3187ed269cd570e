import Crypto
import CryptoExtras
import GatehouseJSON
import GatehouseModel

extension VerificationKey {
  /// Why an entry of a key set isn't used.
  enum Rejection: Error {
    /// The kind of key or the algorithm is not supported. This is not an error in the set.
    case unsupported
    case notForVerifying
    case refused(KeySet.RefusedKey.Reason)
  }

  /// RFC 7518 §3.3 requires RSA moduli of at least 2048 bits. The upper limit exists because a
  /// verification with a very large modulus takes seconds.
  static let modulusBits = 2048...8192

  /// Reads a JWK. Private members are ignored.
  init(jwk: JSONObject) throws(Rejection) {
    guard let type = jwk["kty"]?.string else { throw .refused(.malformed) }
    let keyID = try Self.optionalString("kid", of: jwk)
    let algorithm = try Self.algorithm(of: jwk)
    try Self.checkUse(of: jwk)
    self.init(
      keyID: keyID, algorithm: algorithm, issuer: jwk["issuer"]?.string,
      material: try Self.material(of: jwk, type: type))
    guard algorithm.map({ fits($0) }) ?? true else { throw .refused(.algorithm) }
  }

  private static func material(
    of jwk: JSONObject, type: String
  ) throws(Rejection) -> Material {
    // Compares bytes: in a `switch`, a `kty` spelled with U+212A (KELVIN SIGN) would equal "OKP".
    if type.hasSameBytes(as: "RSA") { return try rsa(jwk) }
    if type.hasSameBytes(as: "EC") { return try ellipticCurve(jwk) }
    if type.hasSameBytes(as: "OKP") { return try octetKeyPair(jwk) }
    throw .unsupported
  }

  private static func algorithm(
    of jwk: JSONObject
  ) throws(Rejection) -> SignatureAlgorithm? {
    guard let name = try optionalString("alg", of: jwk) else { return nil }
    guard let algorithm = SignatureAlgorithm(name: name) else { throw .unsupported }
    return algorithm
  }

  /// If present, `use` must be `sig` and `key_ops` must contain `verify` (§4.2, §4.3).
  private static func checkUse(of jwk: JSONObject) throws(Rejection) {
    if let use = try optionalString("use", of: jwk), use != "sig" { throw .notForVerifying }
    if let operations = jwk["key_ops"] {
      guard let operations = operations.array else { throw .refused(.malformed) }
      guard operations.contains(.string("verify")) else { throw .notForVerifying }
    }
  }

  private static func rsa(_ jwk: JSONObject) throws(Rejection) -> Material {
    try rsa(modulus: try bytes("n", of: jwk), exponent: try bytes("e", of: jwk))
  }

  /// Both numbers are big-endian. Some issuers write a leading zero; the number is the same.
  static func rsa(modulus: [UInt8], exponent: [UInt8]) throws(Rejection) -> Material {
    let modulus = modulus.drop { $0 == 0 }
    let exponent = exponent.drop { $0 == 0 }
    guard let first = modulus.first else { throw .refused(.malformed) }
    let bits = modulus.count * 8 - first.leadingZeroBitCount
    guard bits >= modulusBits.lowerBound else { throw .refused(.tooWeak) }
    guard bits <= modulusBits.upperBound else { throw .refused(.tooLarge) }
    guard !WeakPrimes.mayHaveMade(Array(modulus)) else { throw .refused(.tooWeak) }
    // With e = 1 anyone can forge signatures; an even e has no inverse. No issuer needs an e that
    // is longer than 4 bytes.
    guard let last = exponent.last, last & 1 == 1, exponent.count > 1 || last >= 3,
      exponent.count <= 4
    else { throw .refused(.exponent) }
    guard modulus.last.map({ $0 & 1 == 1 }) ?? false,
      let key = try? _RSA.Signing.PublicKey(n: Array(modulus), e: Array(exponent))
    else { throw .refused(.malformed) }
    return .rsa(key)
  }

  /// The crypto library refuses points that aren't on the curve.
  private static func ellipticCurve(_ jwk: JSONObject) throws(Rejection) -> Material {
    guard let curve = jwk["crv"]?.string else { throw .refused(.malformed) }
    switch curve {
    case "P-256":
      let point = try uncompressedPoint(jwk, coordinateBytes: 32)
      if let key = try? P256.Signing.PublicKey(x963Representation: point) { return .p256(key) }
    case "P-384":
      let point = try uncompressedPoint(jwk, coordinateBytes: 48)
      if let key = try? P384.Signing.PublicKey(x963Representation: point) { return .p384(key) }
    case "P-521":
      let point = try uncompressedPoint(jwk, coordinateBytes: 66)
      if let key = try? P521.Signing.PublicKey(x963Representation: point) { return .p521(key) }
    default: throw .unsupported
    }
    throw .refused(.malformed)
  }

  /// "The length of this octet string MUST be the full size of a coordinate" (RFC 7518 §6.2.1.2).
  private static func uncompressedPoint(
    _ jwk: JSONObject, coordinateBytes: Int
  ) throws(Rejection) -> [UInt8] {
    let x = try bytes("x", of: jwk)
    let y = try bytes("y", of: jwk)
    guard x.count == coordinateBytes, y.count == coordinateBytes else {
      throw .refused(.malformed)
    }
    return [4] + x + y
  }

  private static func octetKeyPair(_ jwk: JSONObject) throws(Rejection) -> Material {
    guard let curve = jwk["crv"]?.string else { throw .refused(.malformed) }
    guard curve == "Ed25519" else { throw .unsupported }
    let x = try bytes("x", of: jwk)
    guard x.count == 32, let key = try? Curve25519.Signing.PublicKey(rawRepresentation: x)
    else { throw .refused(.malformed) }
    return .ed25519(key)
  }

  private static func optionalString(
    _ name: String, of jwk: JSONObject
  ) throws(Rejection) -> String? {
    guard let value = jwk[name] else { return nil }
    guard let string = value.string else { throw .refused(.malformed) }
    return string
  }

  private static func bytes(_ name: String, of jwk: JSONObject) throws(Rejection) -> [UInt8] {
    guard let text = jwk[name]?.string, let bytes = Base64URL.decode(text), !bytes.isEmpty
    else { throw .refused(.malformed) }
    return bytes
  }
}
