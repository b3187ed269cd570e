import Foundation
import Testing

/// Attacks on the authorization response in the browser, by a third party or by a malicious
/// provider.
@Suite(.developmentServer) struct AuthorizationAnswerTests {
  private static let otherBrowser = "page: This sign-in belongs to another browser"
  private static let noState = "page: This link doesn’t work"

  // MARK: The state

  @Test func `a response without the state shows a page`() async throws {
    let party = try await RelyingParty.make(faults: ["omitAnswer": ["state"]])
    #expect(try await party.signIn().verdict == Self.noState)
  }

  @Test func `a made-up state shows a page`() async throws {
    let party = try await RelyingParty.make(faults: ["setAnswer": ["state": "ghs_AAAA"]])
    #expect(try await party.signIn().verdict == Self.noState)
  }

  @Test func `a state is accepted once`() async throws {
    let party = try await RelyingParty.make()
    let trip = try await Trip.begin(party)
    #expect(try await trip.finish().deepLink["link"] != nil)
    guard case .page(let page) = try await trip.finish() else {
      throw Unreachable(what: "a page")
    }
    #expect(page.text.contains("<h1>This sign-in is finished</h1>"))
  }

  @Test func `a state of another sign-in doesn't match the cookie`() async throws {
    let party = try await RelyingParty.make()
    let victim = try await Trip.begin(party)
    let attacker = try await Trip.begin(party)
    let mixed = try await victim.finish(replacing: ["state": attacker.answer["state"] ?? ""])
    #expect(RelyingParty.verdict(of: mixed) == Self.otherBrowser)
  }

  @Test func `a repeated parameter shows a page`() async throws {
    for name in ["state", "code", "iss"] {
      let party = try await RelyingParty.make()
      let trip = try await Trip.begin(party)
      let twice = try await trip.finish(adding: "&\(name)=\(Form.escape(trip.answer[name] ?? ""))")
      #expect(RelyingParty.verdict(of: twice) == Self.noState)
      #expect(try await trip.finish().deepLink["link"] != nil)
    }
  }

  // MARK: Login CSRF

  @Test func `the attacker's response is rejected in the victim's browser`() async throws {
    let party = try await RelyingParty.make()
    let attacker = try await Trip.begin(party)
    let victim = try await attacker.finish(in: Browser())
    #expect(RelyingParty.verdict(of: victim) == Self.otherBrowser)
    // The attacker's own browser can still use the response, which wasn't used up.
    #expect(try await attacker.finish().deepLink["link"] != nil)
  }

  @Test func `a form posted on the attacker's behalf is rejected there too`() async throws {
    let party = try await RelyingParty.make(.idToken)
    let begun = try await HTTP.get(party.url(NativeApp(server: party.server), [:]))
    let page = try await HTTP.get(try #require(begun.header("location")))
    let form = try #require(Browser.selfPostingForm(page.text))
    // The victim's browser posts it and is redirected.
    let posted = try await HTTP.send(
      .post, form.action, headers: [("content-type", "application/x-www-form-urlencoded")],
      body: form.body)
    #expect(posted.status == 303)
    let location = try #require(posted.header("location"))
    #expect(location.contains("?posted=ghp_"))
    let end = try await Browser().open(
      location.hasPrefix("/") ? party.server.baseURL + location : location,
      within: [party.server.baseURL])
    #expect(RelyingParty.verdict(of: end) == Self.otherBrowser)
  }

  // MARK: Mix-up

  @Test func `a response of another issuer is reported to the app`() async throws {
    let party = try await RelyingParty.make(
      faults: ["setAnswer": ["iss": "https://other.example.com"]])
    #expect(
      try await party.signIn().verdict
        == "auth/internal-error INVALID_IDP_RESPONSE : The answer's issuer "
        + "https://other.example.com does not match the expected one in config: \(party.issuer).")
    #expect(try await party.requests("token") == 0)
  }

  @Test func `a response without the announced issuer is reported to the app`() async throws {
    let party = try await RelyingParty.make(faults: ["omitAnswer": ["iss"]])
    #expect(
      try await party.signIn().verdict
        == "auth/internal-error INVALID_IDP_RESPONSE : The answer's issuer  does not match the "
        + "expected one in config: \(party.issuer).")
    try await party.set(["omitAnswer": ["iss"]])
    let silent = try await RelyingParty.make(
      faults: [
        "omitAnswer": ["iss"],
        "setDiscovery": ["authorization_response_iss_parameter_supported": false],
      ])
    #expect(try await silent.signIn().verdict == "200")
  }

  /// The attack itself: a malicious provider redirects the browser to an honest one.
  @Test func `an honest provider's code doesn't reach the malicious provider`()
    async throws
  {
    let honest = try await RelyingParty.make()
    let harmful = try await RelyingParty.make(
      faults: ["setDiscovery": ["authorization_endpoint": .string(honest.issuer + "/authorize")]])
    #expect(
      try await harmful.signIn().verdict
        == "auth/internal-error INVALID_IDP_RESPONSE : The answer's issuer \(honest.issuer) does "
        + "not match the expected one in config: \(harmful.issuer).")
    #expect(try await harmful.requests("token") == 0)
    // The honest provider knows its client's redirect URI, and redirects to no other.
    try await honest.server.providers.put(
      "clients",
      [
        "provider": .string("oidc/" + honest.name), "client_id": "client-1",
        "redirect_uris": [
          .string(honest.server.baseURL + "/__/auth/handler/demo/\(honest.providerID)")
        ],
      ])
    let refused = try await harmful.signIn()
    #expect(refused.verdict.contains("invalid_request"))
    #expect(try await honest.signIn().verdict == "200")
  }

  // MARK: The code

  @Test func `another sign-in's code doesn't match this sign-in's verifier`() async throws {
    let party = try await RelyingParty.make()
    let victim = try await Trip.begin(party)
    let attacker = try await Trip.begin(party)
    let end = try await attacker.finish(replacing: ["code": victim.answer["code"] ?? ""])
    let reply = try await attacker.app.redeem(end.deepLink["link"], party.providerID)
    #expect(
      reply.verdict
        == "400 INVALID_IDP_RESPONSE : The provider refused the request: 400 invalid_grant")
  }

  @Test func `a public client requires S256`() async throws {
    for methods in [["plain"], []] as [[JSON]] {
      let party = try await RelyingParty.make(
        faults: ["setDiscovery": ["code_challenge_methods_supported": .array(methods)]],
        client: ["client_secret": .null],
        configuration: ["clientSecret": .null, "publicClient": true])
      #expect(
        try await party.signIn().verdict
          == "auth/operation-not-allowed OPERATION_NOT_ALLOWED : The discovery document of "
          + "\(party.providerID) has no usable code_challenge_methods_supported.")
      try await party.set([:])
    }
    let party = try await RelyingParty.make(
      client: ["client_secret": .null],
      configuration: ["clientSecret": .null, "publicClient": true])
    #expect(try await party.authorizationRequest()["code_challenge_method"] == "S256")
    #expect(try await party.signIn().verdict == "200")
  }
}
