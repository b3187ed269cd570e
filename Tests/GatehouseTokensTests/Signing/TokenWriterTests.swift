import Crypto
import Foundation
import GatehouseProtocol
import GatehouseTokens
import Testing

@Suite struct TokenWriterTests {
  @Test func `a token that we write verifies`() throws {
    let writer = TokenWriter(signer: RS256Signer(key: try Fixture.key))
    let token = try writer.token(payload: Fixture.claims.serialized())
    let verified = try Fixture.verify(token)
    let header = try UnverifiedToken(token).header
    #expect(header.keyID == (try Fixture.key.keyID))
    #expect(header.type == "JWT")
    #expect(verified.payload == Fixture.claims.serialized())
    #expect(
      token
        == (try Fixture.token(header: try Fixture.header.serialized(), payload: verified.payload)))
  }

  @Test func `an ES256 key comes from a PKCS 8 file`() throws {
    let key = P256.Signing.PrivateKey()
    let signer = try ES256Signer(pem: key.pemRepresentation, keyID: "ABCDE12345")
    let token = try TokenWriter(signer: signer, type: nil).token(
      payload: Fixture.claims.serialized())
    let jws = try UnverifiedJWS(token)
    #expect(jws.header.type == nil)
    #expect(jws.header.keyID == "ABCDE12345")
    let segments = token.split(separator: ".")
    let signature = try #require(Base64URL.decode(String(segments[2])))
    #expect(
      key.publicKey.isValidSignature(
        try P256.Signing.ECDSASignature(rawRepresentation: signature),
        for: Array("\(segments[0]).\(segments[1])".utf8)))
  }

  @Test func `line ends may be of any kind`() throws {
    let lines = P256.Signing.PrivateKey().pemRepresentation.split(separator: "\n")
    _ = try ES256Signer(pem: lines.joined(separator: "\r\n") + "\r\n", keyID: "k")
    _ = try ES256Signer(pem: lines.joined(separator: "\n"), keyID: "k")
  }

  @Test(arguments: [
    "", "not a key", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----",
  ])
  func `a text that isn't an ES256 key is refused`(pem: String) {
    #expect(throws: ES256KeyError()) { try ES256Signer(pem: pem, keyID: "k") }
  }

  @Test func `an RSA key is refused as an ES256 key`() throws {
    let pem = try Fixture.key.pkcs8PEM
    #expect(throws: ES256KeyError()) { try ES256Signer(pem: pem, keyID: "k") }
  }

  @Test func `an RSA key is the same after writing and reading`() throws {
    let key = try Fixture.key
    #expect(try RSASigningKey(pem: key.pkcs8PEM).keyID == key.keyID)
    #expect(try RSASigningKey(der: key.pkcs8DER).keyID == key.keyID)
    #expect(key.keyID.utf8.count == 40)
    #expect(key.spkiPEM.hasPrefix("-----BEGIN PUBLIC KEY-----"))
  }

  @Test func `a published key set verifies, and holds nothing private`() throws {
    let document = PublicJWK.keySet([try Fixture.key.publicJWK(), try Fixture.otherKey.publicJWK()])
    let keys = try KeySet(jwks: document)
    #expect(keys.keys.count == 2)
    try Fixture.verify(try Fixture.token(), keys: keys)
    let entries = try #require(try JSONObject(parsing: document)["keys"]?.array)
    for entry in entries {
      #expect(entry.object?.members.map(\.name) == ["kty", "alg", "use", "kid", "n", "e"])
    }
  }

  @Test func `a token in the emulator's form has no signature, and its signed form is found again`()
    throws
  {
    let token = "aGVhZGVy.cGF5bG9hZA.c2ln"
    let unsigned = UnsignedForm.of(token)
    let parts = unsigned.split(separator: ".", omittingEmptySubsequences: false)
    #expect(parts.count == 3 && parts[1] == "cGF5bG9hZA" && parts[2].isEmpty)
    let header = try JSONObject(parsing: try #require(Base64URL.decode(String(parts[0]))))
    #expect(header["alg"] == "none" && header["typ"] == "JWT" && header["kid"] == nil)
    #expect(UnsignedForm.signed(in: unsigned) == token)
  }

  @Test(arguments: [
    "", ".", "..", "a.b.c", "e30.e30.", "e30.e30", "eyJzaWduZWQiOiJhIn0.e30.",
    "eyJzaWduZWQiOjF9.e30.",
  ])
  func `a text in another form has no signed form`(_ text: String) {
    #expect(UnsignedForm.signed(in: text) == nil)
  }
}
