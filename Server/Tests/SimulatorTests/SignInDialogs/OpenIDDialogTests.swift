import HTTPTypes
import Testing

@Suite struct OpenIDDialogTests {
  @Test(arguments: OpenIDProvider.all)
  func `a person is chosen, agrees, and the client gets a code`(
    provider: OpenIDProvider
  ) async throws {
    try await withSimulator { client in
      var browser = try await DialogBrowser.open(DialogURL.standard(provider), client)
      #expect(browser.step == "choose")
      try await browser.choose("bob")
      #expect(browser.step == "consent")
      #expect(browser.page.text.contains("see your email address"))
      let answer = try await browser.goOn("bob")
      #expect(answer.status == 303)
      #expect(answer.headers[.location]?.hasPrefix(DialogURL.redirectURI + "?") == true)
      let parameters = try answer.redirectParameters()
      #expect(parameters["state"] == "s 1")
      let tokens = try await provider.exchange(
        parameters["code"], client, ["code_verifier": "", "redirect_uri": DialogURL.redirectURI])
      #expect(
        try IDToken(tokens.json.string("id_token")).claims.string("email") == "bob@example.com")
    }
  }

  @Test(arguments: OpenIDProvider.all)
  func `a person with a consent only chooses the account`(provider: OpenIDProvider) async throws {
    try await withSimulator { client in
      _ = try await client.get(DialogURL.standard(provider, ["person": "bob"]))
      var browser = try await DialogBrowser.open(DialogURL.standard(provider), client)
      let answer = try await browser.choose("bob")
      #expect(answer.status == 303)
      #expect(try answer.redirectParameters()["code"] != nil)
    }
  }

  @Test(arguments: OpenIDProvider.all)
  func `prompt=consent asks again, and so does a new scope`(
    provider: OpenIDProvider
  ) async throws {
    try await withSimulator { client in
      _ = try await client.get(
        DialogURL.standard(provider, ["person": "bob", "scope": "openid email"]))
      for (name, value) in [("scope", "openid email profile"), ("prompt", "consent")] {
        let query: KeyValuePairs = ["scope": "openid email", name: value]
        let fields = name == "scope" ? ["scope": value] : query
        var browser = try await DialogBrowser.open(DialogURL.standard(provider, fields), client)
        try await browser.choose("bob")
        #expect(browser.step == "consent")
      }
    }
  }

  @Test(arguments: OpenIDProvider.all)
  func `a cancelled sign-in is a denied access`(provider: OpenIDProvider) async throws {
    try await withSimulator { client in
      var browser = try await DialogBrowser.open(DialogURL.standard(provider), client)
      let parameters = try await browser.cancel().redirectParameters()
      #expect(parameters["error"] == "access_denied")
      #expect(parameters["state"] == "s 1")
    }
  }

  @Test(arguments: OpenIDProvider.all)
  func `prompt=none needs a signed-in person with a consent`(
    provider: OpenIDProvider
  ) async throws {
    try await withSimulator { client in
      let silent = DialogURL.standard(provider, ["prompt": "none", "max_age": "60"])
      func error(_ path: String) async throws -> String? {
        try await DialogBrowser.open(path, client).page.redirectParameters()["error"]
      }
      #expect(try await error(silent) == "login_required")
      // The person signs in to another client: a session, and no consent for this one.
      var browser = try await DialogBrowser.open(
        DialogURL.standard(provider, ["client_id": "client-2"]), client)
      try await browser.goOn("bob")
      #expect(try await error(silent) == "consent_required")
      browser = try await DialogBrowser.open(DialogURL.standard(provider), client)
      try await browser.goOn("bob")
      #expect(try await error(silent) == nil)
      #expect(
        try await error(
          DialogURL.standard(provider, ["prompt": "none", "login_hint": "alice@example.com"]))
          == "login_required")
      #expect(
        try await error(DialogURL.standard(provider, ["prompt": "none login"])) == "invalid_request"
      )
      client.clock.advance(seconds: 61)
      #expect(try await error(silent) == "login_required")
      #expect(try await error(DialogURL.standard(provider, ["prompt": "none"])) == nil)
    }
  }

  @Test func `a silent sign-in has the time of the last authentication`() async throws {
    try await withSimulator { client in
      var browser = try await DialogBrowser.open(DialogURL.oidc(), client)
      try await browser.goOn("bob")
      client.clock.advance(seconds: 100)
      let answer = try await DialogBrowser.open(
        DialogURL.oidc(["prompt": "none", "response_type": "id_token", "nonce": "n"]), client)
      let token = try IDToken(answer.page.redirectParameters("#")["id_token"])
      #expect(token.claims.integer("auth_time") == 1_750_000_000)
      #expect(token.claims.integer("iat") == 1_750_000_100)
    }
  }

  @Test func `acr_values are met`() async throws {
    try await withSimulator { client in
      let reply = try await client.get(
        DialogURL.oidc(["acr_values": "phr urn:x", "response_type": "id_token", "nonce": "n"]))
      let token = try IDToken(reply.redirectParameters("#")["id_token"])
      #expect(token.claims.string("acr") == "phr")
    }
  }

  @Test func `hd limits the accounts to a Workspace`() async throws {
    try await withSimulator { client in
      for (id, domain) in [("carol", "corp.example"), ("dave", "other.example")] {
        _ = try await client.post(
          "/simulator/persons", json: #"{"id":"\#(id)","hostedDomain":"\#(domain)"}"#)
      }
      let one = try await DialogBrowser.open(DialogURL.google(["hd": "corp.example"]), client)
      #expect(one.persons == ["carol"])
      let all = try await DialogBrowser.open(DialogURL.google(["hd": "*"]), client)
      #expect(all.persons == ["carol", "dave"])
    }
  }

  @Test(arguments: OpenIDProvider.all)
  func `a hint leads to the consent page, unless an account must be chosen`(
    provider: OpenIDProvider
  ) async throws {
    try await withSimulator { client in
      let hint = "bob@example.com"
      let consent = try await DialogBrowser.open(
        DialogURL.standard(provider, ["login_hint": hint, "prompt": "consent"]), client)
      #expect(consent.step == "consent")
      #expect(consent.page.text.contains("bob@example.com"))
      let choice = try await DialogBrowser.open(
        DialogURL.standard(provider, ["login_hint": hint, "prompt": "select_account"]), client)
      #expect(choice.step == "choose")
      #expect(choice.persons == ["bob", "alice"])
    }
  }
}
