import GatehouseTokens
import Testing

@Suite struct SignatureVectorTests {
  @Test(arguments: SignatureVector.all)
  func `a signature from the standards verifies`(vector: SignatureVector) throws {
    let verifier = SignatureVerifier(keys: try KeySet(jwks: vector.jwks))
    _ = try verifier.verify(try UnverifiedJWS(vector.jws))
  }

  @Test(arguments: SignatureVector.all)
  func `a signature with one bit changed doesn't verify`(vector: SignatureVector) throws {
    let verifier = SignatureVerifier(keys: try KeySet(jwks: vector.jwks))
    let segments = vector.jws.split(separator: ".")
    var signature = try #require(Base64URL.decode(String(segments[2])))
    signature[signature.count - 1] ^= 1
    let changed = "\(segments[0]).\(segments[1]).\(Base64URL.encode(signature))"
    #expect(refusal { try verifier.verify(try UnverifiedJWS(changed)) } == .signature)
  }
}
