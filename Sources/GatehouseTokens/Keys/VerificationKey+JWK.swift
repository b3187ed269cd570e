import Crypto
import CryptoExtras
import GatehouseProtocol

extension VerificationKey {
  /// Why an entry of a key set isn't used.
  enum Rejection: Error {
    /// The kind of key or the algorithm is not supported. This is not an error in the set.
    case unsupported
    case refused(KeySet.RefusedKey.Reason, String)
  }

  /// RFC 7518 §3.3 requires RSA moduli of at least 2048 bits. The upper limit exists because a
  /// verification with a very large modulus takes seconds.
  static let modulusBits = 2048...8192

  /// Reads a JWK. Private members are ignored.
  init(jwk: JSONObject) throws(Rejection) {
    guard let type = jwk["kty"]?.string else {
      throw .refused(.malformed, "kty is absent or not a string")
    }
    let keyID = try Self.optionalString("kid", of: jwk)
    let algorithm = try Self.algorithm(of: jwk)
    try Self.checkUse(of: jwk)
    self.init(
      keyID: keyID, algorithm: algorithm, issuer: jwk.optional("issuer")?.string,
      material: try Self.material(of: jwk, type: type))
    guard algorithm.map({ fits($0) }) ?? true else {
      throw .refused(.algorithm, "alg is for another kind of key than kty and crv")
    }
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
    if let use = try optionalString("use", of: jwk), use != "sig" {
      throw .refused(.use, "use is not sig")
    }
    if let operations = jwk.optional("key_ops") {
      guard let operations = operations.array else {
        throw .refused(.malformed, "key_ops is not an array")
      }
      guard operations.contains(.string("verify")) else {
        throw .refused(.use, "key_ops does not contain verify")
      }
    }
  }

  private static func rsa(_ jwk: JSONObject) throws(Rejection) -> Material {
    try rsa(modulus: try bytes("n", of: jwk), exponent: try bytes("e", of: jwk))
  }

  /// Both numbers are big-endian. Some issuers write a leading zero; the number is the same.
  static func rsa(modulus: [UInt8], exponent: [UInt8]) throws(Rejection) -> Material {
    let modulus = modulus.drop { $0 == 0 }
    let exponent = exponent.drop { $0 == 0 }
    guard let first = modulus.first else { throw .refused(.malformed, "n is zero") }
    let bits = modulus.count * 8 - first.leadingZeroBitCount
    let accepted = "RSA keys of \(modulusBits.lowerBound) to \(modulusBits.upperBound) are accepted"
    guard bits >= modulusBits.lowerBound else {
      throw .refused(.tooWeak, "n has \(bits) bits; \(accepted)")
    }
    guard bits <= modulusBits.upperBound else {
      throw .refused(.tooLarge, "n has \(bits) bits; \(accepted)")
    }
    guard !WeakPrimes.mayHaveMade(Array(modulus)) else {
      throw .refused(.tooWeak, "n is by a flawed generator, and can be factored (CVE-2017-15361)")
    }
    // With e = 1 anyone can forge signatures; an even e has no inverse. No issuer needs an e that
    // is longer than 4 bytes.
    guard let last = exponent.last, last & 1 == 1, exponent.count > 1 || last >= 3,
      exponent.count <= 4
    else { throw .refused(.exponent, "e is not an odd number from 3 of at most 4 bytes") }
    guard modulus.last.map({ $0 & 1 == 1 }) ?? false,
      let key = try? _RSA.Signing.PublicKey(n: Array(modulus), e: Array(exponent))
    else { throw .refused(.malformed, "n and e are not a public key") }
    return .rsa(key)
  }

  /// The crypto library refuses points that aren't on the curve.
  private static func ellipticCurve(_ jwk: JSONObject) throws(Rejection) -> Material {
    let curve = try requiredString("crv", of: jwk)
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
    throw .refused(.malformed, "x and y are not a point of the curve \(curve)")
  }

  /// "The length of this octet string MUST be the full size of a coordinate" (RFC 7518 §6.2.1.2).
  private static func uncompressedPoint(
    _ jwk: JSONObject, coordinateBytes: Int
  ) throws(Rejection) -> [UInt8] {
    let x = try bytes("x", of: jwk)
    let y = try bytes("y", of: jwk)
    for (name, value) in [("x", x), ("y", y)] where value.count != coordinateBytes {
      throw .refused(.malformed, "\(name) has \(value.count) bytes and not \(coordinateBytes)")
    }
    return [4] + x + y
  }

  private static func octetKeyPair(_ jwk: JSONObject) throws(Rejection) -> Material {
    let curve = try requiredString("crv", of: jwk)
    guard curve == "Ed25519" else { throw .unsupported }
    let x = try bytes("x", of: jwk)
    guard x.count == 32, let key = try? Curve25519.Signing.PublicKey(rawRepresentation: x)
    else { throw .refused(.malformed, "x is not a public key of Ed25519") }
    return .ed25519(key)
  }

  private static func optionalString(
    _ name: String, of jwk: JSONObject
  ) throws(Rejection) -> String? {
    guard let value = jwk.optional(name) else { return nil }
    guard let string = value.string else { throw .refused(.malformed, "\(name) is not a string") }
    return string
  }

  private static func requiredString(
    _ name: String, of jwk: JSONObject
  ) throws(Rejection) -> String {
    guard let text = try optionalString(name, of: jwk) else {
      throw .refused(.malformed, "\(name) is absent")
    }
    return text
  }

  private static func bytes(_ name: String, of jwk: JSONObject) throws(Rejection) -> [UInt8] {
    var digits = Array(try requiredString(name, of: jwk).utf8)
    // Some issuers write the padding that RFC 7515 §2 leaves out. The number is the same, and the
    // keys come from the configured issuer: unlike a token, they have no other form to hide in.
    if digits.count.isMultiple(of: 4) {
      for _ in 0..<2 where digits.last == UInt8(ascii: "=") { digits.removeLast() }
    }
    guard let bytes = Base64URL.decode(digits), !bytes.isEmpty else {
      throw .refused(.malformed, "\(name) is not base64url")
    }
    return bytes
  }
}
