import Crypto
import GatehouseProtocol
import GatehouseTokens

/// An ES256 key, its entry in a key set, and tokens that it signs.
struct EllipticKey: TokenSigner {
  let key = P256.Signing.PrivateKey()
  let keyID: String
  var algorithm: SignatureAlgorithm { .es256 }

  init(keyID: String = "ec-1") { self.keyID = keyID }

  var jwk: JSONObject {
    let point = Array(key.publicKey.rawRepresentation)
    return [
      "kty": "EC", "crv": "P-256", "kid": .string(keyID),
      "x": .string(Base64URL.encode(Array(point[..<32]))),
      "y": .string(Base64URL.encode(Array(point[32...]))),
    ]
  }

  func sign(_ message: [UInt8]) throws -> [UInt8] {
    Array(try key.signature(for: message).rawRepresentation)
  }

  /// A token with the claims of ``Fixture``. The signature is changed before it is encoded.
  func token(_ change: (inout [UInt8]) -> Void = { _ in }) throws -> String {
    let header: JSONObject = ["alg": "ES256", "kid": .string(keyID)]
    let input =
      Base64URL.encode(header.serialized()) + "." + Base64URL.encode(Fixture.claims.serialized())
    var signature = try sign(Array(input.utf8))
    change(&signature)
    return input + "." + Base64URL.encode(signature)
  }

  func verify(_ token: String) throws -> VerifiedToken {
    let policy = TokenPolicy(
      issuers: [Fixture.issuer], audiences: [Fixture.audience], algorithms: [.es256])
    return try Fixture.verify(token, keys: try keySet([jwk]), policy: policy)
  }
}

func keySet(_ jwks: [JSONObject]) throws -> KeySet {
  let document: JSONObject = ["keys": .array(jwks.map { .object($0) })]
  return try KeySet(jwks: document.serialized())
}

/// A key's entry in a key set, as JSON.
func jwk(of key: RSASigningKey, _ change: (inout JSONObject) -> Void = { _ in }) throws
  -> JSONObject
{
  let document = try JSONObject(parsing: PublicJWK.keySet([try key.publicJWK()]))
  guard var entry = document["keys"]?.array?.first?.object else {
    throw JSONError(.notAnObject, offset: 0)
  }
  change(&entry)
  return entry
}
