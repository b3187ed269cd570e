import HTTPTypes
import Testing

/// Tests of the pages for every provider.
@Suite struct DialogTests {
  static let urls: [@Sendable (KeyValuePairs<String, String>) -> String] = [
    DialogURL.apple, DialogURL.google, DialogURL.oidc, DialogURL.facebook,
  ]

  // MARK: Page or answer

  @Test(arguments: 0..<4)
  func `a request without a browser, or with a person, gets no page`(_ index: Int) async throws {
    try await withSimulator { client in
      let url = Self.urls[index]
      #expect(try await DialogBrowser.open(url([:]), client).step == "choose")
      for accept in ["*/*", "application/json"] {
        let reply = try await client.get(url([:]), headers: [.accept: accept])
        #expect(!reply.text.contains("data-step"))
      }
      for (name, value) in [
        ("person", "bob"), ("decision", "cancel"), ("login_hint", "bob@example.com"),
      ] {
        #expect(try await DialogBrowser.open(url([name: value]), client).step == nil)
      }
      // A hint that names no existing person offers to create that person.
      let stranger = try await DialogBrowser.open(url(["login_hint": "x@example.com"]), client)
      #expect(stranger.step == "choose")
    }
  }

  @Test(arguments: 0..<4)
  func `the pages can be switched off, and a reset restores them`(_ index: Int) async throws {
    try await withSimulator { client in
      let url = Self.urls[index]([:])
      let put = try await client.put("/simulator/sheets", json: #"{"mode":"auto"}"#)
      #expect(put.json.string("mode") == "auto")
      #expect(try await DialogBrowser.open(url, client).step == nil)
      _ = try await client.post("/simulator/reset", json: "{}")
      #expect(try await client.get("/simulator/sheets").json.string("mode") == "ask")
      #expect(try await DialogBrowser.open(url, client).step == "choose")
    }
  }

  @Test(arguments: 0..<4)
  func `a wrong redirect URI shows no page`(_ index: Int) async throws {
    try await withSimulator { client in
      let browser = try await DialogBrowser.open(
        Self.urls[index](["redirect_uri": "javascript:alert(1)"]), client)
      #expect(browser.page.status == 400)
      #expect(browser.page.error == "invalid_request")
      #expect(browser.step == nil)
    }
  }

  @Test func `a query of more than 16 KiB shows no page`() async throws {
    try await withSimulator { client in
      let short = DialogURL.oidc(["state": String(repeating: "s", count: 16_000)])
      #expect(try await DialogBrowser.open(short, client).step == "choose")
      let long = DialogURL.oidc(["state": String(repeating: "s", count: 16_384)])
      let reply = try await DialogBrowser.open(long, client).page
      #expect(try reply.redirectParameters()["error"] == "invalid_request")
    }
  }

  // MARK: One page, one answer

  @Test(arguments: 0..<4)
  func `a page accepts one answer`(_ index: Int) async throws {
    try await withSimulator { client in
      var browser = try await DialogBrowser.open(Self.urls[index]([:]), client)
      let opened = browser
      let first = try await browser.goOn("alice")
      #expect([200, 303].contains(first.status))
      for _ in 0..<2 {
        browser = opened
        try await browser.goOn("alice")
        #expect(browser.page.status == 400)
        #expect(browser.step == "ended")
      }
      browser = opened
      try await browser.cancel()
      #expect(browser.step == "ended")
    }
  }

  @Test func `a page is refused at another provider, and with a guessed secret`() async throws {
    try await withSimulator { client in
      let google = try await DialogBrowser.open(DialogURL.google(), client)
      for (path, token) in [
        ("/oidc/sheet", google.token), ("/google/sheet", "guess"), ("/google/sheet", ""),
      ] {
        let reply = try await client.post(
          path, form: ["request": token, "action": "continue", "person": "alice"])
        #expect(reply.status == 400)
      }
      var browser = google
      #expect(try await browser.goOn("alice").status == 303)
    }
  }

  @Test func `a page expires after half an hour`() async throws {
    try await withSimulator { client in
      var browser = try await DialogBrowser.open(DialogURL.google(), client)
      client.clock.advance(seconds: 1_800)
      try await browser.choose("alice")
      #expect(browser.step == "ended")
    }
  }

  @Test func `over the limit the oldest pages are removed`() async throws {
    try await withSimulator { configuration in
      configuration.limits.dialogs = 3
    } _: { client in
      var first = try await DialogBrowser.open(DialogURL.google(), client)
      for _ in 0..<3 { _ = try await DialogBrowser.open(DialogURL.google(), client) }
      try await first.choose("alice")
      #expect(first.step == "ended")
    }
  }

  @Test func `a page of another site can't answer`() async throws {
    try await withSimulator { client in
      let browser = try await DialogBrowser.open(DialogURL.google(), client)
      let reply = try await client.post(
        "/google/sheet",
        form: ["request": browser.token, "action": "continue", "person": "alice"],
        headers: [.origin: "https://evil.example.com"])
      #expect(reply.error == "origin_not_allowed")
    }
  }

  // MARK: Persons

  @Test func `the last chosen person is offered first`() async throws {
    try await withSimulator { client in
      var browser = try await DialogBrowser.open(DialogURL.google(), client)
      #expect(browser.persons == ["alice", "bob"])
      try await browser.goOn("bob")
      #expect(try await DialogBrowser.open(DialogURL.google(), client).persons == ["bob", "alice"])
      // Another person can be signed in at each provider.
      #expect(try await DialogBrowser.open(DialogURL.oidc(), client).persons == ["alice", "bob"])
    }
  }

  @Test func `a person is created on the page`() async throws {
    try await withSimulator { client in
      var browser = try await DialogBrowser.open(DialogURL.google(), client)
      try await browser.submit([
        "action": "make", "email": "carol@example.com", "first_name": "Carol", "last_name": "",
      ])
      #expect(browser.step == "consent")
      #expect(browser.page.text.contains("Carol, carol@example.com"))
      #expect(try await browser.goOn("carol").status == 303)
      let person = try await client.get("/simulator/persons/carol").json
      #expect(person.string("email") == "carol@example.com")
      #expect(person.isNull("familyName"))
    }
  }

  @Test func `an existing address signs its person in, and an existing id gets a suffix`()
    async throws
  {
    try await withSimulator { client in
      var browser = try await DialogBrowser.open(DialogURL.google(), client)
      let opened = browser
      try await browser.submit(["action": "make", "email": "BOB@example.com"])
      #expect(browser.page.text.contains("bob@example.com"))
      browser = opened
      try await browser.submit(["action": "make", "email": "bob@other.example"])
      #expect(browser.page.text.contains("bob@other.example"))
      #expect(
        try await client.get("/simulator/persons/bob").json.string("email") == "bob@example.com")
    }
  }

  @Test(arguments: ["", "nothing", "a@", "a b@example.com"])
  func `an invalid address creates no person, and is shown again`(_ email: String) async throws {
    try await withSimulator { client in
      var browser = try await DialogBrowser.open(DialogURL.google(), client)
      try await browser.submit(["action": "make", "email": email, "first_name": "\"Carol\""])
      #expect(browser.page.status == 400)
      #expect(browser.step == "person")
      #expect(browser.page.text.contains("role=\"alert\""))
      #expect(browser.value(id: "first-name") == "&quot;Carol&quot;")
      #expect(try await client.get("/simulator/persons").json.objects("persons").count == 2)
    }
  }

  @Test func `the number of persons is limited`() async throws {
    try await withSimulator { configuration in
      configuration.limits.persons = 2
    } _: { client in
      var browser = try await DialogBrowser.open(DialogURL.google(), client)
      try await browser.submit(["action": "make", "email": "carol@example.com"])
      #expect(browser.step == "person")
      #expect(browser.page.text.contains("too many persons"))
    }
  }

  // MARK: The page itself

  @Test(arguments: 0..<4)
  func `a page says that it is a simulator, runs no script and can't be framed`(
    _ index: Int
  ) async throws {
    try await withSimulator { client in
      let page = try await DialogBrowser.open(Self.urls[index]([:]), client).page
      #expect(page.text.contains("Simulator, for tests. This isn’t "))
      #expect(!page.text.contains("<script"))
      #expect(!page.text.contains("style=\""))
      let policy = try #require(page.headers[.contentSecurityPolicy])
      #expect(policy.contains("default-src 'none'"))
      #expect(policy.contains("frame-ancestors 'none'"))
      #expect(!policy.contains("unsafe"))
      #expect(page.headers[.cacheControl] == "no-store")
    }
  }

  @Test(arguments: [
    ("ui_locales", "fr vi-VN", nil, "vi"), ("hl", "de", "en", "de"),
    ("locale", "vi_VN", "de", "vi"),
    ("hl", "fr", "de-AT,en;q=0.5", "de"), ("hl", "", "fr", "en"), ("hl", "", nil, "en"),
  ])
  func `a page is in the requested language`(
    name: String, value: String, accepted: String?, language: String
  ) async throws {
    try await withSimulator { client in
      var browser = try await DialogBrowser.open(
        DialogURL.oidc([name: value]), client, language: accepted)
      #expect(browser.page.text.contains("<html lang=\"\(language)\">"))
      try await browser.choose("alice")
      #expect(browser.page.text.contains("<html lang=\"\(language)\">"))
    }
  }

  @Test func `names are shown as text`() async throws {
    try await withSimulator { client in
      _ = try await client.post(
        "/simulator/persons", json: #"{"id":"eve","givenName":"<b>Eve</b>"}"#)
      var browser = try await DialogBrowser.open(
        DialogURL.apple(["client_id": "\"><script>alert(1)</script>"]), client)
      for step in ["choose", "consent"] {
        #expect(browser.step == step)
        #expect(browser.page.text.contains("&lt;b&gt;Eve"))
        #expect(browser.page.text.contains("&quot;&gt;&lt;script&gt;"))
        #expect(!browser.page.text.contains("<script"))
        if step == "choose" { try await browser.choose("eve") }
      }
    }
  }
}
