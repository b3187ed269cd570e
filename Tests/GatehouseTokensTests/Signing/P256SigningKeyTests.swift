import Crypto
import GatehouseProtocol
import GatehouseTokens
import Testing

@Suite struct P256SigningKeyTests {
  @Test func `a token that the key signs verifies with its published form alone`() throws {
    let key = P256SigningKey.generate()
    let token = try TokenWriter(signer: ES256Signer(key: key))
      .token(payload: Fixture.claims.serialized())
    let keys = try KeySet(jwks: PublicJWK.keySet([key.publicJWK]))
    let verified = try SignatureVerifier(keys: keys).verify(UnverifiedJWS(token))
    #expect(verified.payload == Fixture.claims.serialized())
    #expect(verified.header.keyID == key.keyID)
    #expect(verified.header.algorithm == .es256)
  }

  @Test func `another key of the same id is refused`() throws {
    let (key, other) = (P256SigningKey.generate(), P256SigningKey.generate())
    let token = try TokenWriter(signer: ES256Signer(key: key))
      .token(payload: Fixture.claims.serialized())
    let forged = PublicJWK(keyID: key.keyID, material: other.publicJWK.material)
    let keys = try KeySet(jwks: PublicJWK.keySet([forged]))
    #expect(throws: TokenError(.signature)) {
      try SignatureVerifier(keys: keys).verify(UnverifiedJWS(token))
    }
  }

  @Test func `the key is the same after writing and reading`() throws {
    let key = P256SigningKey.generate()
    let read = try P256SigningKey(der: key.pkcs8DER)
    #expect(read.keyID == key.keyID)
    #expect(read.publicJWK == key.publicJWK)
    #expect(key.keyID.utf8.count == 40)
    #expect(
      try P256.Signing.PublicKey(derRepresentation: key.spkiDER).rawRepresentation.count == 64)
  }

  @Test func `the published form holds nothing private`() throws {
    let document = PublicJWK.keySet([P256SigningKey.generate().publicJWK])
    let entry = try JSONObject(parsing: document)["keys"]?.array?.first?.object
    #expect(entry?.members.map(\.name) == ["kty", "crv", "alg", "use", "kid", "x", "y"])
  }
}
