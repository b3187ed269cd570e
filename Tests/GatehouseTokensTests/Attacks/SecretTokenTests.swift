import Crypto
import GatehouseProtocol
import GatehouseTokens
import Testing

/// ID tokens that the token endpoint signs with the client's secret.
@Suite struct SecretTokenTests {
  private static let secret = "0123456789abcdef0123456789abcdef"

  private func token(
    secret: String = secret, header changes: JSONObject = [:], claims: JSONObject = Fixture.claims,
    tag: ([UInt8]) -> [UInt8] = { $0 }
  ) -> String {
    var header: JSONObject = ["alg": "HS256", "typ": "JWT"]
    for member in changes.members { header[member.name] = member.value }
    let input =
      Base64URL.encode(header.serialized()) + "." + Base64URL.encode(claims.serialized())
    let code = HMAC<SHA256>.authenticationCode(
      for: Array(input.utf8), using: SymmetricKey(data: Array(secret.utf8)))
    return input + "." + Base64URL.encode(tag(Array(code)))
  }

  @discardableResult
  private func verify(_ text: String, secret: String = secret) throws -> VerifiedToken {
    let token = try #require(try UnverifiedSecretToken(text))
    return try TokenVerifier(policy: Fixture.policy).verify(
      token, secret: ClientSecretKey(secret), now: Fixture.now)
  }

  @Test func `a token that is signed with the client's secret is verified`() throws {
    let text = token(
      claims: Fixture.with(Fixture.claims) { $0["at_hash"] = "77QmUPtjPfzWtF2AnpK9RQ" })
    let verified = try verify(text)
    #expect(verified.subject == "person-1")
    #expect(
      verified.signingInputSHA256
        == Array(SHA256.hash(data: Array(text[..<(text.lastIndex(of: ".") ?? text.endIndex)].utf8)))
    )
    try verified.checkAccessTokenHash("jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y")
    #expect(refusal { try verified.checkAccessTokenHash("other") } == .accessTokenHash)
    // A kid says nothing: there is one secret.
    try verify(token(header: ["kid": .string(try Fixture.key.keyID)]))
  }

  @Test func `the verifier of public keys refuses it, even with a key of that kid`() throws {
    let text = token(header: ["kid": .string(try Fixture.key.keyID)])
    #expect(refusal { try Fixture.verify(text) } == .algorithmUnsupported)
    #expect(refusal { try UnverifiedJWS(text) } == .algorithmUnsupported)
  }

  @Test func `a token that is signed with a public key as the secret is refused`() throws {
    let key = try jwk(of: try Fixture.key)
    for text in [JSONValue.object(key).text(), key["n"]?.string ?? ""] {
      #expect(refusal { try verify(token(secret: text)) } == .signature)
    }
  }

  @Test func `another secret, or a shortened or longer code, is refused`() throws {
    #expect(refusal { try verify(token(secret: Self.secret + "0")) } == .signature)
    #expect(refusal { try verify(token(), secret: Self.secret + "0") } == .signature)
    #expect(refusal { try verify(token { Array($0.prefix(16)) }) } == .signature)
    #expect(refusal { try verify(token { $0 + [0] }) } == .signature)
    #expect(refusal { try verify(token { [$0[0] ^ 1] + $0.dropFirst() }) } == .signature)
    #expect(refusal { try verify(token { _ in [] }) } == .emptySignature)
  }

  @Test(
    arguments: [(32, nil), (31, .secretTooShort), (0, .secretTooShort)] as [(Int, TokenError.Code?)]
  )
  func `a secret has at least 32 bytes`(count: Int, code: TokenError.Code?) throws {
    let secret = String(repeating: "s", count: count)
    let text = token(secret: count == 0 ? "x" : secret)
    #expect(refusal { try verify(text, secret: secret) } == code)
  }

  @Test(arguments: ["HS384", "HS512", "hs256", "RS256", "none", ""])
  func `another alg is none of these tokens`(name: String) throws {
    #expect(try UnverifiedSecretToken(token(header: ["alg": .string(name)])) == nil)
  }

  @Test func `header and claims are checked as those of every token`() throws {
    let changed = { (name: String, value: JSONValue) in
      token(claims: Fixture.with(Fixture.claims) { $0[name] = value })
    }
    #expect(refusal { try verify(changed("aud", "other")) } == .audience)
    #expect(refusal { try verify(changed("iss", "https://other.example.com")) } == .issuer)
    #expect(refusal { try verify(changed("exp", 1)) } == .expired)
    #expect(refusal { try verify(changed("sub", "")) } == .subject)
    #expect(refusal { try verify(changed("events", [:])) } == .isNotification)
    #expect(refusal { try verify(token(header: ["crit": ["exp"]])) } == .criticalHeader)
    #expect(refusal { try verify(token(header: ["typ": "at+jwt"])) } == .type)
    #expect(refusal { try verify(String(repeating: "a", count: 1 << 20)) } == .tooLong)
  }
}
