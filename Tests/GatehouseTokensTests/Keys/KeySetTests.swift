import GatehouseProtocol
import GatehouseTokens
import Testing

@Suite struct KeySetTests {
  @Test(
    arguments: [
      ("", .notJSON), ("[]", .notJSON), ("{}", .noKeysMember), ("{\"keys\":{}}", .noKeysMember),
      ("{\"keys\":[],\"keys\":[]}", .notJSON),
    ] as [(String, KeySetError)])
  func `a document that isn't a key set is refused`(text: String, error: KeySetError) {
    #expect(throws: error) { try KeySet(jwks: Array(text.utf8)) }
  }

  @Test func `more than a hundred keys are refused`() throws {
    let key = EllipticKey().jwk
    #expect(try keySet([JSONObject](repeating: key, count: 100)).keys.count == 100)
    #expect(throws: KeySetError.tooManyKeys) {
      try keySet([JSONObject](repeating: key, count: 101))
    }
  }

  @Test func `a document that is too long is refused`() {
    let long = "{\"keys\":[]}" + String(repeating: " ", count: 100)
    #expect(throws: KeySetError.tooLong) { try KeySet(jwks: Array(long.utf8), maximumBytes: 50) }
  }

  @Test func `entries that can't be read don't affect the others`() throws {
    let document = """
      {"keys":[1,null,{},{"kty":"RSA"},{"kty":"EC","crv":"P-256","x":"AA","y":"AA","kid":"e"},\
      {"kty":"OKP","crv":"Ed25519","x":"AAAA"},{"kty":"RSA","n":"AQ=","e":"AQAB"},\
      \(JSONValue.object(EllipticKey().jwk).text())]}
      """
    let set = try KeySet(jwks: Array(document.utf8))
    #expect(set.keys.map(\.keyID) == ["ec-1"])
    #expect(set.refused.count == 7)
    #expect(set.refused.allSatisfy { $0.reason == .malformed })
    #expect(set.refused.map(\.keyID) == [nil, nil, nil, nil, "e", nil, nil])
  }

  @Test func `an alg for another kind of key is refused`() throws {
    let key = Fixture.with(EllipticKey().jwk) { $0["alg"] = "RS256" }
    #expect(try keySet([key]).refused.map(\.reason) == [.algorithm])
  }
}
