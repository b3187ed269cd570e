import Crypto
import CryptoExtras
import GatehouseProtocol
import GatehouseTokens
import Testing

@Suite struct AlgorithmTests {
  @Test(arguments: SignatureAlgorithm.allCases)
  func `every algorithm verifies what its key signs and nothing else`(
    algorithm: SignatureAlgorithm
  ) throws {
    let pair = try KeyPair(algorithm)
    let verifier = SignatureVerifier(keys: try keySet([pair.jwk]))
    let input = "\(Base64URL.encode(pair.header)).\(Base64URL.encode(Array("anything".utf8)))"
    let signature = try pair.sign(Array(input.utf8))

    let jws = try verifier.verify(
      try UnverifiedJWS("\(input).\(Base64URL.encode(signature))"))
    #expect(jws.payload == Array("anything".utf8))
    #expect(jws.signingInputSHA256 == Array(SHA256.hash(data: Array(input.utf8))))

    var changed = signature
    changed[signature.count / 2] ^= 0x10
    let forged = "\(input).\(Base64URL.encode(changed))"
    #expect(refusal { try verifier.verify(try UnverifiedJWS(forged)) } == .signature)
    let shorter = "\(input).\(Base64URL.encode(signature.dropLast()))"
    #expect(refusal { try verifier.verify(try UnverifiedJWS(shorter)) } == .signature)
  }

  @Test(arguments: ["none", "None", "HS256", "HS512", "rs256", "RS256 ", "ES256K", "ES521", ""])
  func `other names of algorithms are refused`(name: String) {
    #expect(SignatureAlgorithm(name: name) == nil)
  }
}

/// A key for one algorithm, directly from the crypto library.
private struct KeyPair {
  let header: [UInt8]
  let jwk: JSONObject
  let sign: ([UInt8]) throws -> [UInt8]

  init(_ algorithm: SignatureAlgorithm) throws {
    let header: JSONObject = ["alg": .string(algorithm.rawValue), "kid": "k"]
    self.header = header.serialized()
    switch algorithm {
    case .es256:
      let key = P256.Signing.PrivateKey()
      jwk = Self.point("P-256", Array(key.publicKey.rawRepresentation))
      sign = { Array(try key.signature(for: $0).rawRepresentation) }
    case .es384:
      let key = P384.Signing.PrivateKey()
      jwk = Self.point("P-384", Array(key.publicKey.rawRepresentation))
      sign = { Array(try key.signature(for: $0).rawRepresentation) }
    case .es512:
      let key = P521.Signing.PrivateKey()
      jwk = Self.point("P-521", Array(key.publicKey.rawRepresentation))
      sign = { Array(try key.signature(for: $0).rawRepresentation) }
    case .edDSA:
      let key = Curve25519.Signing.PrivateKey()
      jwk = [
        "kty": "OKP", "crv": "Ed25519", "kid": "k",
        "x": .string(Base64URL.encode(Array(key.publicKey.rawRepresentation))),
      ]
      sign = { Array(try key.signature(for: $0)) }
    default:
      let key = try Fixture.key
      jwk = try Self.rsa(key)
      let privateKey = try _RSA.Signing.PrivateKey(derRepresentation: key.pkcs8DER)
      sign = { try Self.rsaSignature(algorithm, privateKey, $0) }
    }
  }

  private static func rsa(_ key: RSASigningKey) throws -> JSONObject {
    try GatehouseTokensTests.jwk(of: key) {
      $0["alg"] = nil
      $0["kid"] = "k"
    }
  }

  private static func point(_ curve: String, _ bytes: [UInt8]) -> JSONObject {
    [
      "kty": "EC", "crv": .string(curve), "kid": "k",
      "x": .string(Base64URL.encode(Array(bytes[..<(bytes.count / 2)]))),
      "y": .string(Base64URL.encode(Array(bytes[(bytes.count / 2)...]))),
    ]
  }

  private static func rsaSignature(
    _ algorithm: SignatureAlgorithm, _ key: _RSA.Signing.PrivateKey, _ message: [UInt8]
  ) throws -> [UInt8] {
    let padding: _RSA.Signing.Padding =
      algorithm.rawValue.hasPrefix("P") ? .PSS : .insecurePKCS1v1_5
    let signature =
      switch algorithm {
      case .rs256, .ps256: try key.signature(for: SHA256.hash(data: message), padding: padding)
      case .rs384, .ps384: try key.signature(for: SHA384.hash(data: message), padding: padding)
      default: try key.signature(for: SHA512.hash(data: message), padding: padding)
      }
    return Array(signature.rawRepresentation)
  }
}
