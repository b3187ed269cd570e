import Testing

/// The OpenID Foundation's tests of relying parties, under their names: the reactions of this
/// server to correct, unusual and faulty OpenID providers, over sockets and through every step.
///
/// A test has its name in the old suite (`rp-…`), or in the new one (`oidcc-client-test-…`) if the
/// old one has no counterpart. `docs/relying-party-tests.md` lists those that don't apply.
@Suite(.developmentServer) struct RelyingPartyTests {
  // MARK: Response types and modes

  @Test func `rp-response_type-code`() async throws {
    let party = try await RelyingParty.make()
    let request = try await party.authorizationRequest()
    #expect(request["response_type"] == "code")
    #expect(request["code_challenge_method"] == "S256")
    let outcome = try await party.signIn()
    #expect(outcome.verdict == "200")
    #expect(outcome.json["email"].string == party.email)
    #expect(outcome.json["oauthAccessToken"].string != nil)
  }

  @Test func `rp-response_type-id_token`() async throws {
    let party = try await RelyingParty.make(
      .idToken, faults: ["setDiscovery": ["response_modes_supported": ["query", "fragment"]]])
    let request = try await party.authorizationRequest()
    #expect(request["response_type"] == "id_token")
    // The default is the fragment.
    #expect(request["response_mode"] == nil)
    let outcome = try await party.signIn()
    #expect(outcome.verdict == "200")
    #expect(outcome.json["email"].string == party.email)
    #expect(try await party.requests("token") == 0)
  }

  @Test func `rp-response_mode-form_post`() async throws {
    let party = try await RelyingParty.make(.idToken)
    #expect(try await party.authorizationRequest()["response_mode"] == "form_post")
    #expect(try await party.signIn().verdict == "200")
    let code = try await RelyingParty.make(configuration: ["responseMode": "form_post"])
    let request = try await code.authorizationRequest()
    #expect(request["response_type"] == "code")
    #expect(request["response_mode"] == "form_post")
    #expect(try await code.signIn().verdict == "200")
  }

  @Test func `rp-response_mode-form_post-error`() async throws {
    let party = try await RelyingParty.make(
      .idToken, faults: ["setAnswer": ["error": "login_required"], "omitAnswer": ["id_token"]])
    #expect(try await party.authorizationRequest()["response_mode"] == "form_post")
    #expect(
      try await party.signIn(parameters: ["prompt": "none", "max_age": "0"]).verdict
        == "auth/web-context-cancelled INVALID_IDP_RESPONSE : The provider rejected the sign-in: login_required"
    )
  }

  // MARK: The nonce

  @Test(arguments: [RelyingParty.Setting.code, .idToken])
  func `rp-nonce-unless-code-flow`(_ setting: RelyingParty.Setting) async throws {
    // The code flow has a nonce, too: OAuth 2.0 Security BCP (RFC 9700 §2.1.1).
    let party = try await RelyingParty.make(setting)
    let first = try await party.authorizationRequest()["nonce"]
    let second = try await party.authorizationRequest()["nonce"]
    #expect(first?.count == 64)
    #expect(first != second)
    #expect(try await party.signIn().verdict == "200")
  }

  @Test(arguments: [RelyingParty.Setting.code, .idToken])
  func `rp-nonce-invalid`(_ setting: RelyingParty.Setting) async throws {
    let party = try await RelyingParty.make(setting, faults: ["setClaims": ["nonce": "another"]])
    let verdict = try await party.signIn().verdict
    #expect(
      verdict.hasPrefix(
        "400 MISSING_OR_INVALID_NONCE : The nonce in ID Token \"another\" does not match the "
          + "SHA256 hash of the raw nonce "))
    try await party.set(["omitClaims": ["nonce"]])
    #expect(
      try await party.signIn().verdict
        == "400 MISSING_OR_INVALID_NONCE : Nonce is missing in the ID Token.")
  }

  // MARK: Discovery

  @Test func `rp-discovery-openid-configuration`() async throws {
    let party = try await RelyingParty.make()
    let document = try await HTTP.get(party.issuer + "/.well-known/openid-configuration").json
    let before = try await party.requests(".well-known/openid-configuration")
    #expect(document["issuer"].string == party.issuer)
    #expect(try await party.signIn().verdict == "200")
    #expect(try await party.requests(".well-known/openid-configuration") == before + 1)
  }

  @Test func `rp-discovery-jwks_uri-keys`() async throws {
    let party = try await RelyingParty.make()
    #expect(try await party.signIn().verdict == "200")
    #expect(try await party.requests("jwks") == 1)
    // If the discovery document names another key set, that one is used.
    let elsewhere = try await RelyingParty.make(
      faults: [
        "setDiscovery": ["jwks_uri": .string(party.server.simulatorURL + "/apple/auth/keys")]
      ]
    )
    #expect(try await elsewhere.signIn().verdict == Refusal.signature)
    #expect(try await elsewhere.requests("jwks") == 0)
  }

  @Test func `rp-discovery-issuer-not-matching-config`() async throws {
    for issuer in ["https://other.example.com", "", "/"] {
      let party = try await RelyingParty.make()
      let other = issuer == "/" ? party.issuer + "/" : issuer
      try await party.set(["setDiscovery": ["issuer": .string(other)]])
      let begun = try await party.signIn()
      #expect(
        begun.verdict
          == "auth/network-request-failed INVALID_IDP_RESPONSE : Error connecting to the given "
          + "credential's issuer.")
    }
  }
}
