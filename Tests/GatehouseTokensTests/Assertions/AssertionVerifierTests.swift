import Foundation
import GatehouseProtocol
import GatehouseTokens
import Testing

@Suite struct AssertionVerifierTests {
  private static let issuer = "robot@example.com"
  private static let audience = "https://auth.example.com/token"

  private func token(
    signedBy key: RSASigningKey? = nil, header: JSONObject = [:],
    _ claims: (inout JSONObject) -> Void = { _ in }
  ) throws -> String {
    let payload = Fixture.with(
      [
        "iss": .string(Self.issuer), "sub": .string(Self.issuer), "aud": .string(Self.audience),
        "iat": 1_700_000_000, "exp": 1_700_003_600,
      ], claims)
    return try Fixture.token(
      header: Fixture.with(["alg": "RS256", "typ": "JWT"]) { good in
        for member in header.members { good[member.name] = member.value }
      }.serialized(),
      payload: payload.serialized(),
      signer: RS256Signer(key: try key ?? Fixture.key))
  }

  @discardableResult
  private func verify(
    _ token: String, keys: [RSASigningKey]? = nil, requiresSubject: Bool = true,
    now: Date = Fixture.now
  ) throws -> VerifiedAssertion {
    try AssertionVerifier(
      issuer: Self.issuer, audiences: [Self.audience], requiresSubject: requiresSubject
    ).verify(
      try UnverifiedToken(token), keys: try (keys ?? [Fixture.key]).map { VerificationKey($0) },
      now: now)
  }

  private func refusal(_ claims: (inout JSONObject) -> Void) throws -> TokenError.Code? {
    let text = try token(claims)
    return GatehouseTokensTests.refusal { try verify(text) }
  }

  @Test func `a valid assertion has its claims and the id of its key`() throws {
    let verified = try verify(try token { $0["uid"] = "alice" })
    #expect(verified.issuer == Self.issuer)
    #expect(verified.claims.string("uid") == "alice")
    #expect(verified.keyID == (try Fixture.key.keyID))
    #expect(verified.expiresAt == Date(timeIntervalSince1970: 1_700_003_600))
  }

  @Test(arguments: ["another", nil])
  func `kid is a hint: every key is tried`(keyID: String?) throws {
    let text = try token(header: keyID.map { ["kid": .string($0)] } ?? [:])
    let verified = try verify(text, keys: [try Fixture.otherKey, try Fixture.key])
    #expect(verified.keyID == (try Fixture.key.keyID))
  }

  @Test func `a kid that names another key of the issuer doesn't hide the right one`() throws {
    let wrong = try Fixture.otherKey.keyID
    let text = try token(header: ["kid": .string(wrong)])
    let verified = try verify(text, keys: [try Fixture.otherKey, try Fixture.key])
    #expect(verified.keyID == (try Fixture.key.keyID))
  }

  @Test func `another issuer's key is refused, even with the kid of a right one`() throws {
    let kid = try Fixture.key.keyID
    let text = try token(signedBy: try Fixture.otherKey, header: ["kid": .string(kid)])
    #expect(GatehouseTokensTests.refusal { try verify(text) } == .signature)
  }

  @Test func `an assertion is refused if the issuer has no keys`() throws {
    let text = try token()
    #expect(GatehouseTokensTests.refusal { try verify(text, keys: []) } == .keyUnknown)
  }

  @Test func `an assertion is valid for at most an hour`() throws {
    #expect(try refusal { $0["exp"] = 1_700_003_601 } == .lifetime)
    #expect(try refusal { _ in } == nil)
  }

  @Test func `an assertion expires at exp plus a minute of skew`() throws {
    let text = try token()
    let end = Date(timeIntervalSince1970: 1_700_003_600)
    #expect(
      GatehouseTokensTests.refusal { try verify(text, now: end.addingTimeInterval(59)) } == nil)
    #expect(
      GatehouseTokensTests.refusal { try verify(text, now: end.addingTimeInterval(60)) }
        == .expired)
  }

  @Test func `an iat in the future is refused, and iat and exp are required`() throws {
    #expect(
      try refusal {
        $0["iat"] = 1_700_000_061
        $0["exp"] = 1_700_003_000
      } == .issuedInFuture)
    #expect(try refusal { $0["iat"] = nil } == .issuedAt)
    #expect(try refusal { $0["exp"] = nil } == .expiry)
  }

  @Test(arguments: ["someone@example.com", "ROBOT@example.com", 1, .null] as [JSONValue])
  func `a sub other than the issuer is refused`(subject: JSONValue) throws {
    #expect(try refusal { $0["sub"] = subject } == .subject)
  }

  @Test func `sub may be absent where that is allowed`() throws {
    let text = try token { $0["sub"] = nil }
    #expect(GatehouseTokensTests.refusal { try verify(text) } == .subject)
    try verify(text, requiresSubject: false)
  }

  @Test(arguments: ["ROBOT@example.com", "robot@example.com ", 1] as [JSONValue])
  func `iss must equal the account's email byte for byte`(issuer: JSONValue) throws {
    #expect(
      try refusal {
        $0["iss"] = issuer
        $0["sub"] = nil
      } == .issuer)
  }

  @Test(arguments: ["https://example.com", "https://auth.example.com/token/", []] as [JSONValue])
  func `another audience is refused`(audience: JSONValue) throws {
    #expect(try refusal { $0["aud"] = audience } == .audience)
  }

  @Test func `another algorithm than RS256 is refused`() throws {
    let text = try token(header: ["alg": "RS384"])
    #expect(GatehouseTokensTests.refusal { try verify(text) } == .algorithmNotAllowed)
  }

  @Test func `a changed claim breaks the signature`() throws {
    let parts = try token { $0["uid"] = "alice" }.split(separator: ".")
    let other = try token { $0["uid"] = "mallet" }.split(separator: ".")
    let forged = "\(parts[0]).\(other[1]).\(parts[2])"
    #expect(GatehouseTokensTests.refusal { try verify(forged) } == .signature)
  }
}
