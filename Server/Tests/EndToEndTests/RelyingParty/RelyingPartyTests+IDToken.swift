import Foundation
import Testing

extension RelyingPartyTests {
  // MARK: Claims

  @Test(arguments: [RelyingParty.Setting.code, .idToken])
  func `rp-id_token-issuer-mismatch`(_ setting: RelyingParty.Setting) async throws {
    let party = try await RelyingParty.make(
      setting, faults: ["setClaims": ["iss": "https://other.example.com"]])
    #expect(
      try await party.signIn().verdict
        == "400 INVALID_IDP_RESPONSE : The issuer in ID Token https://other.example.com does not "
        + "match the expected one in config: \(party.issuer).")
  }

  @Test(arguments: [RelyingParty.Setting.code, .idToken])
  func `rp-id_token-aud`(_ setting: RelyingParty.Setting) async throws {
    let party = try await RelyingParty.make(setting, faults: ["omitClaims": ["aud"]])
    func refusal(_ received: String) -> String {
      "400 INVALID_IDP_RESPONSE : The audience in ID Token [\(received)] does not match the "
        + "expected audience client-1."
    }
    #expect(try await party.signIn().verdict == refusal(""))
    try await party.set(["setClaims": ["aud": "client-2"]])
    #expect(try await party.signIn().verdict == refusal("client-2"))
    try await party.set(["setClaims": ["aud": ["client-1", "client-2"]]])
    #expect(
      try await party.signIn().verdict == refusal("client-1, client-2")
        + " An audience beside ours has to be trusted in the configuration, unless the token's azp is "
        + "ours.")
    try await party.set(["setClaims": ["aud": ["client-1"]]])
    #expect(try await party.signIn().verdict == "200")
  }

  @Test(arguments: [RelyingParty.Setting.code, .idToken])
  func `rp-id_token-sub`(_ setting: RelyingParty.Setting) async throws {
    let party = try await RelyingParty.make(setting, faults: ["omitClaims": ["sub"]])
    #expect(
      try await party.signIn().verdict.hasPrefix(
        "400 INVALID_IDP_RESPONSE : ID Token does not contain user's identity in 'sub' claim: {"))
  }

  @Test(arguments: [RelyingParty.Setting.code, .idToken])
  func `rp-id_token-iat`(_ setting: RelyingParty.Setting) async throws {
    let party = try await RelyingParty.make(setting, faults: ["omitClaims": ["iat"]])
    #expect(try await party.signIn().verdict == Refusal.unparsable)
  }

  // MARK: Hashes

  @Test func `rp-id_token-bad-at_hash`() async throws {
    let party = try await RelyingParty.make(
      faults: ["setClaims": ["at_hash": "AAAAAAAAAAAAAAAAAAAAAA"]])
    #expect(try await party.signIn().verdict == Refusal.otherToken)
  }

  /// Required only if the access token comes through the browser (OpenID Connect Core §3.2.2.9),
  /// which this server never requests; optional in the code flow (§3.1.3.6).
  @Test func `rp-id_token-missing-at_hash`() async throws {
    let party = try await RelyingParty.make(faults: ["omitClaims": ["at_hash"]])
    #expect(try await party.signIn().verdict == "200")
  }

  /// A claim of the hybrid flow, which this server never uses. If a token contains it nevertheless,
  /// it must be correct.
  @Test func `rp-id_token-bad-c_hash`() async throws {
    let party = try await RelyingParty.make(
      faults: ["setClaims": ["c_hash": "AAAAAAAAAAAAAAAAAAAAAA"]])
    #expect(try await party.signIn().verdict == Refusal.otherToken)
  }

  /// Required only in the hybrid flow (§3.3.2.11).
  @Test func `rp-id_token-missing-c_hash`() async throws {
    let party = try await RelyingParty.make(faults: ["omitClaims": ["c_hash"]])
    #expect(try await party.signIn().verdict == "200")
  }
}
