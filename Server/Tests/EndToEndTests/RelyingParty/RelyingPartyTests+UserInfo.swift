import Testing

extension RelyingPartyTests {
  /// A provider that returns the address only at its UserInfo endpoint, as some do.
  private static let keepsAddress: JSON = ["omitClaims": ["email", "email_verified", "name"]]

  @Test func `rp-userinfo-bearer-header`() async throws {
    let party = try await RelyingParty.make(faults: Self.keepsAddress)
    let outcome = try await party.signIn()
    #expect(outcome.verdict == "200")
    #expect(outcome.json["email"].string == party.email)
    #expect(try await party.requests("userinfo") == 1)
  }

  @Test func `rp-scope-userinfo-claims`() async throws {
    let party = try await RelyingParty.make(faults: Self.keepsAddress)
    let scopes = try await party.authorizationRequest()["scope"]
    #expect(scopes == "openid email profile")
    let outcome = try await party.signIn()
    #expect(outcome.json["email"].string == party.email)
    #expect(outcome.json["displayName"] == "Zoë")
    // Without an access token, the ID token contains the address.
    let implicit = try await RelyingParty.make(.idToken)
    #expect(try await implicit.signIn().json["email"].string == implicit.email)
    #expect(try await implicit.requests("userinfo") == 0)
  }

  @Test func `rp-userinfo-bad-sub-claim`() async throws {
    let party = try await RelyingParty.make(
      faults: ["omitClaims": ["email"], "setUserInfo": ["sub": "somebody-else"]])
    #expect(try await party.signIn().verdict == Refusal.otherSubject)
    // "The sub (subject) Claim MUST always be returned in the UserInfo Response" (§5.3.2).
    try await party.set(["omitClaims": ["email"], "omitUserInfo": ["sub"]])
    #expect(try await party.signIn().verdict == Refusal.otherSubject)
  }

  @Test func `rp-claims_request-id_token`() async throws {
    let party = try await RelyingParty.make(
      faults: ["setDiscovery": ["scopes_supported": ["openid"]]])
    #expect(try await party.authorizationRequest()["scope"] == "openid")
    let without = try await party.signIn()
    #expect(without.verdict == "200")
    #expect(without.json["displayName"].isNull)
    let with = try await party.signIn(
      parameters: ["claims": #"{"id_token":{"name":{"essential":true}}}"#])
    #expect(with.verdict == "200")
    #expect(with.json["displayName"] == "Zoë")
  }

  @Test func `rp-claims_request-userinfo`() async throws {
    let party = try await RelyingParty.make(
      faults: ["setDiscovery": ["scopes_supported": ["openid"]]])
    let outcome = try await party.signIn(
      parameters: ["claims": #"{"userinfo":{"name":null,"email":null}}"#])
    #expect(outcome.verdict == "200")
    #expect(outcome.json["displayName"] == "Zoë")
    #expect(outcome.json["email"].string == party.email)
  }

  /// Claims from other issuers beside the provider's own don't fail a sign-in, and aren't trusted.
  @Test func `rp-claims-aggregated`() async throws {
    let party = try await RelyingParty.make(
      faults: [
        "omitClaims": ["email", "email_verified"],
        "setUserInfo": [
          "_claim_names": ["email": "src1"], "_claim_sources": ["src1": ["JWT": "e30.e30."]],
        ], "omitUserInfo": ["email", "email_verified"],
      ])
    let outcome = try await party.signIn()
    #expect(outcome.verdict == "200")
    #expect(outcome.json["email"].isNull)
  }

  /// The server never calls a claims source, because its URL comes from the response.
  @Test func `rp-claims-distributed`() async throws {
    let party = try await RelyingParty.make()
    let other = try await RelyingParty.make()
    try await party.set([
      "omitClaims": ["email", "email_verified"],
      "setUserInfo": [
        "_claim_names": ["email": "src1"],
        "_claim_sources": ["src1": ["endpoint": .string(other.issuer + "/userinfo")]],
      ], "omitUserInfo": ["email", "email_verified"],
    ])
    #expect(try await party.signIn().verdict == "200")
    #expect(try await other.requests("userinfo") == 0)
  }
}
