import Foundation
import GatehouseProtocol
import GatehouseTokens
import Testing

/// Attacks 13–21, 23 and 24, with claims.
@Suite struct ClaimAttackTests {
  // MARK: 13–15, aud

  @Test(arguments: [
    "com.example.other", "com.example.ap", "com.example.app2", "COM.example.app",
    "com.example.app ", "com.example.app\u{0}", "",
  ])
  func `aud of another app is refused`(audience: String) {
    #expect(refusal { try Fixture.verify { $0["aud"] = .string(audience) } } == .audience)
  }

  @Test(arguments: [nil, [], 1, true, [1], ["com.example.app", 1], ["other"]] as [JSONValue?])
  func `aud that doesn't name us as a string is refused`(audience: JSONValue?) {
    #expect(refusal { try Fixture.verify { $0["aud"] = audience } } == .audience)
  }

  @Test func `an untrusted audience beside ours is refused unless azp is ours`() throws {
    let both: JSONValue = ["com.example.app", "com.example.stranger"]
    #expect(refusal { try Fixture.verify { $0["aud"] = both } } == .untrustedAudience)
    try Fixture.verify {
      $0["aud"] = both
      $0["azp"] = "com.example.app"
    }
  }

  @Test func `a trusted audience may stand beside ours`() throws {
    var policy = Fixture.policy
    policy.trustedAudiences = ["com.example.backend"]
    try Fixture.verify(policy: policy) { $0["aud"] = ["com.example.app", "com.example.backend"] }
    // But not alone.
    #expect(
      refusal { try Fixture.verify(policy: policy) { $0["aud"] = ["com.example.backend"] } }
        == .audience)
  }

  @Test(arguments: ["com.example.stranger", 1, false, []] as [JSONValue])
  func `azp that isn't ours is refused`(party: JSONValue) {
    #expect(refusal { try Fixture.verify { $0["azp"] = party } } == .authorizedParty)
  }

  @Test(arguments: [.null, ""] as [JSONValue])
  func `a claim that is null or empty is absent, and vouches for nothing`(value: JSONValue) throws {
    let token = try Fixture.verify {
      for name in ["azp", "nbf", "nonce", "at_hash", "c_hash"] { $0[name] = value }
    }
    #expect(!token.hasNonce)
    try token.checkNonce(nil, rule: NonceRule())
    try token.checkAccessTokenHash("anything")
    try token.checkCodeHash("anything")
    #expect(refusal { try token.checkNonce("raw", rule: NonceRule()) } == .nonceMissingInToken)
    #expect(
      refusal { try token.checkAccessTokenHash("anything", isRequired: true) } == .accessTokenHash)
    let both: JSONValue = ["com.example.app", "com.example.stranger"]
    #expect(
      refusal {
        try Fixture.verify {
          $0["aud"] = both
          $0["azp"] = value
        }
      } == .untrustedAudience)
    for (name, code) in [
      ("iss", TokenError.Code.issuer), ("aud", .audience), ("sub", .subject), ("exp", .expiry),
      ("iat", .issuedAt),
    ] {
      #expect(refusal { try Fixture.verify { $0[name] = value } } == code)
    }
  }

  // MARK: 16, 17, iss

  @Test(arguments: [
    "https://id.example.com/", "http://id.example.com", "https://ID.example.com",
    "https://id.example.com.attacker.example", "https://id.example.com#", "",
  ])
  func `iss that differs in a byte is refused`(issuer: String) {
    #expect(refusal { try Fixture.verify { $0["iss"] = .string(issuer) } } == .issuer)
  }

  @Test(arguments: [nil, ["https://id.example.com"], 1] as [JSONValue?])
  func `iss that isn't a string is refused`(issuer: JSONValue?) {
    #expect(refusal { try Fixture.verify { $0["iss"] = issuer } } == .issuer)
  }

  @Test func `the issuer comes from the policy, not from the token`() throws {
    let token = try UnverifiedToken(
      try Fixture.token(claims: { $0["iss"] = "https://attacker.example.com" }))
    #expect(token.unverifiedIssuer == "https://attacker.example.com")
    let verifier = TokenVerifier(policy: Fixture.policy)
    let error = #expect(throws: TokenError.self) {
      try verifier.verify(token, keys: try Fixture.keys, now: Fixture.now)
    }
    #expect(error?.expected == [Fixture.issuer])
    #expect(error?.received == ["https://attacker.example.com"])
  }

  @Test func `an empty policy accepts nothing`() {
    let noIssuer = TokenPolicy(issuers: [], audiences: [Fixture.audience], algorithms: [.rs256])
    #expect(refusal { try Fixture.verify(policy: noIssuer) { _ in } } == .issuer)
    let noAudience = TokenPolicy(issuers: [Fixture.issuer], audiences: [], algorithms: [.rs256])
    #expect(refusal { try Fixture.verify(policy: noAudience) { _ in } } == .audience)
  }

  // MARK: 18, 19, times

  @Test(arguments: ["\"1700003590\"", "null", "1e30", "-1", "1e400", "[]", "true", "253402300800"])
  func `exp that isn't a time is refused`(text: String) throws {
    let value = try JSONValue(parsing: text)
    #expect(refusal { try Fixture.verify { $0["exp"] = value } } == .expiry)
  }

  @Test func `exp, iat and sub are required`() {
    #expect(refusal { try Fixture.verify { $0["exp"] = nil } } == .expiry)
    #expect(refusal { try Fixture.verify { $0["iat"] = nil } } == .issuedAt)
    #expect(refusal { try Fixture.verify { $0["sub"] = nil } } == .subject)
  }

  @Test func `NaN isn't even JSON`() throws {
    let token = try Fixture.token(
      header: try Fixture.header.serialized(), payload: Array("{\"exp\":NaN}".utf8))
    #expect(refusal { try UnverifiedToken(token) } == .payload)
  }

  @Test func `a time may have a fraction`() throws {
    let value = try JSONValue(parsing: "1.7000035905e9")
    let token = try Fixture.verify { $0["exp"] = value }
    #expect(token.expiresAt == Date(timeIntervalSince1970: 1_700_003_590.5))
  }

  @Test(arguments: [(59, nil), (60, .expired), (61, .expired)] as [(Double, TokenError.Code?)])
  func `a token expires at exp plus the skew`(offset: Double, code: TokenError.Code?) {
    let now = Date(timeIntervalSince1970: 1_700_003_590 + offset)
    #expect(refusal { try Fixture.verify(now: now) { _ in } } == code)
  }

  @Test(arguments: [(0, nil), (60, nil), (61, .issuedInFuture)] as [(Int64, TokenError.Code?)])
  func `iat may be ahead by the skew and no more`(offset: Int64, code: TokenError.Code?) {
    #expect(
      refusal { try Fixture.verify { $0["iat"] = .number(.init(1_700_000_000 + offset)) } } == code)
  }

  @Test(arguments: [(0, nil), (60, nil), (61, .notYetValid)] as [(Int64, TokenError.Code?)])
  func `nbf may be ahead by the skew and no more`(offset: Int64, code: TokenError.Code?) {
    #expect(
      refusal { try Fixture.verify { $0["nbf"] = .number(.init(1_700_000_000 + offset)) } } == code)
  }

  @Test func `nbf that isn't a time is refused`() {
    #expect(refusal { try Fixture.verify { $0["nbf"] = "0" } } == .notBefore)
  }

  @Test(arguments: [(0, nil), (1, .expired)] as [(Double, TokenError.Code?)])
  func `the skew comes from the policy`(offset: Double, code: TokenError.Code?) {
    var policy = Fixture.policy
    policy.clockSkewSeconds = 0
    let now = Date(timeIntervalSince1970: 1_700_003_589 + offset)
    #expect(refusal { try Fixture.verify(policy: policy, now: now) { _ in } } == code)
  }

  @Test(arguments: [(310, nil), (311, .tooOld)] as [(Double, TokenError.Code?)])
  func `a token may be as old as the policy says, plus the skew`(
    age: Double, code: TokenError.Code?
  ) {
    var policy = Fixture.policy
    policy.maximumAgeSeconds = 250
    let now = Date(timeIntervalSince1970: 1_699_999_990 + age)
    #expect(refusal { try Fixture.verify(policy: policy, now: now) { _ in } } == code)
  }

  @Test(arguments: [(3600, nil), (3599, .lifetime)] as [(Int, TokenError.Code?)])
  func `a token may be valid for as long as the policy says`(maximum: Int, code: TokenError.Code?) {
    var policy = Fixture.policy
    policy.maximumLifetimeSeconds = maximum
    #expect(refusal { try Fixture.verify(policy: policy) { _ in } } == code)
  }

  // MARK: 20, sub

  @Test(arguments: ["", String(repeating: "a", count: 256), "a\u{0}b"])
  func `a bad sub is refused`(subject: String) {
    #expect(refusal { try Fixture.verify { $0["sub"] = .string(subject) } } == .subject)
  }

  @Test func `sub may be 255 bytes long and keeps its bytes`() throws {
    let longest = String(repeating: "\u{e9}", count: 127) + "a"
    #expect(try Fixture.verify { $0["sub"] = .string(longest) }.subject.utf8.count == 255)
    let subject = try Fixture.verify { $0["sub"] = "cafe\u{301}" }.subject
    #expect(Array(subject.utf8) == Array("cafe\u{301}".utf8))
  }

  @Test(arguments: [(256, nil), (257, .subject)] as [(Int, TokenError.Code?)])
  func `a policy may allow a longer sub, such as the id of an account`(
    _ count: Int, _ code: TokenError.Code?
  ) {
    var policy = Fixture.policy
    policy.maximumSubjectBytes = 256
    let subject = JSONValue.string(String(repeating: "a", count: count))
    #expect(refusal { try Fixture.verify(policy: policy) { $0["sub"] = subject } } == code)
  }

  @Test func `the error for an absent sub has the verified claims`() throws {
    let error = #expect(throws: TokenError.self) {
      try Fixture.verify {
        $0["sub"] = nil
        $0["email"] = "a@example.com"
      }
    }
    let text = try #require(error?.verifiedClaims?.jsonText(sortedKeys: true))
    #expect(
      text == """
        {"aud":"com.example.app","email":"a@example.com","exp":1700003590,"iat":1699999990,\
        "iss":"https://id.example.com"}
        """)
    #expect(error?.description.contains("example.com") == false)
  }

  @Test func `an error before the signature check has no claims`() throws {
    let forged = try Fixture.token(
      header: try Fixture.header.serialized(),
      payload: Fixture.with(Fixture.claims) { $0["sub"] = nil }.serialized(),
      signer: RS256Signer(key: try Fixture.otherKey))
    #expect(throws: TokenError(.signature)) { try Fixture.verify(forged) }
  }

  // MARK: 21, booleans

  @Test(
    arguments: [
      (true, true), ("true", true), (false, false), ("false", false), (0, nil), (1, nil),
      (.null, nil), ("True", nil), ("yes", nil),
    ] as [(JSONValue, Bool?)])
  func `a boolean may also be the text true or false`(value: JSONValue, expected: Bool?) throws {
    let token = try Fixture.verify { $0["email_verified"] = value }
    #expect(token.claims.boolOrText("email_verified") == expected)
  }

  // MARK: 23, 24, other tokens

  @Test(arguments: ["{\"type\":\"consent-revoked\"}", [:], .null] as [JSONValue])
  func `a notification isn't an ID token`(events: JSONValue) {
    #expect(refusal { try Fixture.verify { $0["events"] = events } } == .isNotification)
  }

  @Test func `an ID token isn't a notification`() throws {
    let verifier = TokenVerifier(policy: Fixture.policy)
    let token = try UnverifiedToken(try Fixture.token())
    #expect(
      refusal {
        try verifier.verifyNotification(token, keys: try Fixture.keys, now: Fixture.now)
      } == .isNotNotification)
  }

  @Test func `a notification is verified as a notification`() throws {
    let verifier = TokenVerifier(policy: Fixture.policy)
    let token = try UnverifiedToken(
      try Fixture.token(claims: {
        $0["sub"] = nil
        $0["events"] = "{\"type\":\"consent-revoked\",\"sub\":\"person-1\"}"
      }))
    let notification = try verifier.verifyNotification(
      token, keys: try Fixture.keys, now: Fixture.now)
    #expect(notification.claims.string("events")?.isEmpty == false)
    let late = Date(timeIntervalSince1970: 1_700_003_650)
    #expect(
      refusal { try verifier.verifyNotification(token, keys: try Fixture.keys, now: late) }
        == .expired)
  }

  @Test func `our own token is refused as a provider's`() throws {
    let own = try Fixture.token(claims: {
      $0["iss"] = "https://auth.example.com/project"
      $0["aud"] = "project"
    })
    #expect(refusal { try Fixture.verify(own) } == .issuer)
    let foreignKeys = KeySet([VerificationKey(try Fixture.otherKey)])
    #expect(refusal { try Fixture.verify(own, keys: foreignKeys) } == .keyUnknown)
  }
}
