import Foundation
import GatehouseProtocol
import GatehouseTokens
import Testing

@Suite struct TokenExplanationTests {
  private func explain(
    _ token: String, policy: TokenPolicy = Fixture.policy,
    request: TokenExplanation.Request = .init()
  ) throws -> TokenExplanation {
    TokenExplanation(
      of: token, keys: try Fixture.keys, policy: policy, request: request, now: Fixture.now)
  }

  private func failures(_ explanation: TokenExplanation) -> [String: TokenError.Code] {
    var failures: [String: TokenError.Code] = [:]
    for check in explanation.checks where check.verdict == .fail {
      failures[check.name] = check.code
    }
    return failures
  }

  @Test func `the explanation of a valid token holds`() throws {
    let explanation = try explain(try Fixture.token())
    #expect(explanation.holds)
    #expect(
      explanation.checks.map(\.name).prefix(5) == ["form", "algorithm", "type", "key", "signature"])
  }

  @Test func `every check has its own result, whatever the others find`() throws {
    let explanation = try explain(
      try Fixture.token(claims: {
        $0["iss"] = "https://id.example.com/"
        $0["aud"] = "other"
        $0["exp"] = 1
        $0["sub"] = nil
      }))
    #expect(!explanation.holds)
    #expect(
      failures(explanation) == [
        "issuer": .issuer, "audience": .audience, "expiry": .expired, "subject": .subject,
      ])
    let issuer = try #require(explanation.checks.first { $0.name == "issuer" })
    #expect(issuer.expected == "https://id.example.com")
    #expect(issuer.got == "\"https://id.example.com/\"")
  }

  /// The keys of a vendor with one key set for all tenants, such as Microsoft's: each key names the
  /// issuer of its tokens.
  @Test(arguments: [
    ("https://id.example.com/{tenantid}/v2.0", true), (tenantIssuer, true),
    ("https://id.example.com/00000000-0000-4000-8000-000000000002/v2.0", false),
  ])
  func `under a tenant rule the key's own issuer counts, as in the verifier`(
    keyIssuer: String, holds: Bool
  ) throws {
    let key = EllipticKey()
    let jwk = Fixture.with(key.jwk) { $0["issuer"] = .string(keyIssuer) }
    let keys = try KeySet(jwks: (["keys": [.object(jwk)]] as JSONObject).serialized())
    let claims = Fixture.with(Fixture.claims) {
      $0["iss"] = .string(Self.tenantIssuer)
      $0["tid"] = "00000000-0000-4000-8000-000000000001"
    }
    let header: JSONObject = ["alg": "ES256", "kid": .string(key.keyID)]
    let token = try Fixture.token(
      header: header.serialized(), payload: claims.serialized(), signer: key)
    var policy = TokenPolicy(issuers: [], audiences: [Fixture.audience], algorithms: [.es256])
    policy.tenants = TenantRule(pattern: "https://id.example.com/{tenantid}/v2.0", tenants: .any)

    let explanation = TokenExplanation(of: token, keys: keys, policy: policy, now: Fixture.now)
    let verified = Result {
      try Fixture.verify(token, keys: keys, policy: policy)
    }
    #expect(explanation.holds == holds)
    #expect(failures(explanation) == (holds ? [:] : ["issuer": .issuer]))
    #expect(((try? verified.get()) != nil) == holds)
    let issuer = try #require(explanation.checks.first { $0.name == "issuer" })
    #expect(issuer.got.contains("the key is of issuer \(keyIssuer)") == !holds)
  }

  private static let tenantIssuer =
    "https://id.example.com/00000000-0000-4000-8000-000000000001/v2.0"

  @Test func `a malformed token fails the form check, and the others are skipped`() throws {
    let explanation = try explain("abc")
    #expect(failures(explanation) == ["form": .segments])
    #expect(explanation.checks.dropFirst().allSatisfy { $0.verdict == .skipped })
  }

  @Test func `an unknown key leaves the signature unchecked`() throws {
    let explanation = try explain(try Fixture.token(header: { $0["kid"] = "other" }))
    #expect(failures(explanation) == ["key": .keyUnknown])
    #expect(explanation.checks.first { $0.name == "signature" }?.verdict == .skipped)
  }

  @Test func `secrets don't appear`() throws {
    let raw = "the-raw-nonce"
    let request = TokenExplanation.Request(nonce: raw, accessToken: "the-access-token", code: "c")
    let token = try Fixture.token(claims: {
      $0["nonce"] = "the-token-nonce"
      $0["at_hash"] = "the-at-hash"
    })
    let explanation = try explain(token, request: request)
    #expect(
      failures(explanation) == ["nonce": .nonceMismatch, "access token hash": .accessTokenHash])
    let shown = explanation.table + String(decoding: explanation.json, as: UTF8.self)
    for secret in [raw, "the-access-token", "the-token-nonce", "the-at-hash", token] {
      #expect(!shown.contains(secret))
    }
  }

  @Test func `text from a token can't control a terminal`() throws {
    let explanation = try explain(
      try Fixture.token(header: { $0["kid"] = "\u{1B}[2J\u{202E}evil" }))
    #expect(explanation.table.contains("\\u{1b}[2J\\u{202e}evil"))
    #expect(!explanation.table.contains("\u{1B}"))
    let long = try explain(
      try Fixture.token(claims: { $0["sub"] = .string(String(repeating: "s", count: 9_000)) }))
    #expect(long.table.utf8.count < 4_000)
  }

  @Test func `the table has a line per check`() throws {
    let explanation = try explain(try Fixture.token())
    let lines = explanation.table.split(separator: "\n")
    #expect(lines.count == explanation.checks.count + 1)
    #expect(lines.contains { $0.hasPrefix("pass     issuer") })
  }

  @Test func `the JSON has a code only where a check fails`() throws {
    let explanation = try explain(try Fixture.token(claims: { $0["aud"] = "other" }))
    let json = try JSONObject(parsing: explanation.json)
    #expect(json["valid"] == false)
    let checks = try #require(json["checks"]?.array)
    #expect(checks.count == explanation.checks.count)
    #expect(checks.compactMap { $0["code"]?.string } == ["audience"])
  }
}
