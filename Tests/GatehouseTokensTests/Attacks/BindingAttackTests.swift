import Crypto
import GatehouseProtocol
import GatehouseTokens
import Testing

/// Attacks 22 and 25–27, on what binds a token to a request.
@Suite struct BindingAttackTests {
  private static let raw = "N0nce-of-the-request"

  private static var hashed: JSONValue {
    .string(
      SHA256.hash(data: Array(raw.utf8)).map { byte in
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }.joined())
  }

  private func check(
    token nonce: JSONValue?, request raw: String?, rule: NonceRule = NonceRule(),
    supported: JSONValue? = nil
  ) throws {
    try Fixture.verify {
      $0["nonce"] = nonce
      $0["nonce_supported"] = supported
    }.checkNonce(raw, rule: rule)
  }

  @Test func `the hash in the token and the raw nonce in the request match`() throws {
    try check(token: Self.hashed, request: Self.raw)
  }

  @Test func `a nonce in the token and none in the request is refused`() {
    #expect(
      refusal { try check(token: Self.hashed, request: nil) } == .nonceMissingInRequest)
    #expect(refusal { try check(token: Self.hashed, request: "") } == .nonceMissingInRequest)
    #expect(refusal { try check(token: 5, request: nil) } == .nonceMissingInRequest)
  }

  @Test func `a nonce in the request and none in the token is refused`() {
    #expect(refusal { try check(token: nil, request: Self.raw) } == .nonceMissingInToken)
    #expect(refusal { try check(token: .null, request: Self.raw) } == .nonceMissingInToken)
    #expect(refusal { try check(token: "", request: Self.raw) } == .nonceMissingInToken)
    #expect(
      refusal { try check(token: nil, request: Self.raw, supported: true) } == .nonceMissingInToken)
    #expect(
      refusal { try check(token: nil, request: Self.raw, supported: false) }
        == .nonceMissingInToken)
  }

  @Test(
    arguments: [(false, nil), ("false", nil), (true, .nonceMissingInToken)]
      as [(JSONValue, TokenError.Code?)])
  func `a rule may accept a token that says nonces aren't supported`(
    supported: JSONValue, code: TokenError.Code?
  ) {
    let rule = NonceRule(acceptsUnsupported: true)
    #expect(
      refusal { try check(token: nil, request: Self.raw, rule: rule, supported: supported) } == code
    )
  }

  @Test func `a wrong nonce is refused, and the error has the expected one`() throws {
    let error = #expect(throws: TokenError.self) {
      try check(token: "another", request: Self.raw)
    }
    #expect(error?.code == .nonceMismatch)
    #expect(error?.expected == [Self.hashed.string ?? ""])
    #expect(error?.received == ["another"])
  }

  @Test func `the same text on both sides has its own error`() {
    #expect(refusal { try check(token: .string(Self.raw), request: Self.raw) } == .nonceNotHashed)
    #expect(
      refusal { try check(token: Self.hashed, request: Self.hashed.string) } == .nonceNotHashed)
  }

  @Test func `a nonce in upper-case hex is refused`() {
    let upper = JSONValue.string((Self.hashed.string ?? "").uppercased())
    #expect(refusal { try check(token: upper, request: Self.raw) } == .nonceMismatch)
  }

  @Test func `no nonce on either side is accepted unless one is required`() throws {
    try check(token: nil, request: nil)
    #expect(
      refusal { try check(token: nil, request: nil, rule: NonceRule(isRequired: true)) }
        == .nonceMissingInRequest)
  }

  @Test func `a raw nonce is 1 to 256 bytes`() throws {
    let longest = String(repeating: "n", count: 256)
    #expect(refusal { try check(token: Self.hashed, request: longest) } == .nonceMismatch)
    #expect(refusal { try check(token: Self.hashed, request: longest + "n") } == .nonceLength)
  }

  @Test func `at_hash must match the access token`() throws {
    // OpenID Connect Core, appendix A.3.
    let token = try Fixture.verify { $0["at_hash"] = "77QmUPtjPfzWtF2AnpK9RQ" }
    try token.checkAccessTokenHash("jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y")
    #expect(refusal { try token.checkAccessTokenHash("other") } == .accessTokenHash)
  }

  @Test func `c_hash must match the authorization code`() throws {
    // OpenID Connect Core, appendix A.4.
    let token = try Fixture.verify { $0["c_hash"] = "LDktKdoQak3Pk0cnXxCltA" }
    try token.checkCodeHash("Qcb0Orv1zh30vL1MPRsbm-diHiMwcLyZvn1arpZv-Jxf_11jnpEX3Tgfvk")
    #expect(refusal { try token.checkCodeHash("other") } == .codeHash)
  }

  @Test func `an absent hash is refused where it is required`() throws {
    let token = try Fixture.verify { _ in }
    try token.checkAccessTokenHash("anything")
    #expect(
      refusal { try token.checkAccessTokenHash("anything", isRequired: true) } == .accessTokenHash)
    #expect(refusal { try token.checkCodeHash("anything", isRequired: true) } == .codeHash)
  }

  @Test func `a hash that isn't a string is refused`() throws {
    let token = try Fixture.verify { $0["at_hash"] = 1 }
    #expect(refusal { try token.checkAccessTokenHash("anything") } == .accessTokenHash)
  }
}
