import HTTPTypes
import Testing

@Suite struct AppleDialogTests {
  @Test func `a first sign-in shares the edited name and the address`() async throws {
    try await withSimulator { client in
      var browser = try await DialogBrowser.open(DialogURL.apple(), client)
      #expect(browser.step == "choose")
      #expect(browser.persons == ["alice", "bob"])
      try await browser.choose("alice")
      #expect(browser.step == "consent")
      #expect(browser.value(id: "first-name") == "Alice")
      #expect(browser.value(id: "last-name") == "Appleseed")
      #expect(browser.has(id: "share-email"))
      let answer = try await browser.goOn(
        "alice", [("first_name", "Al"), ("last_name", "<Seed>"), ("email", "share")])
      let fields = try answer.formFields()
      #expect(fields["state"] == "s 1")
      let user = JSONText(fields["user"] ?? "")
      #expect(user.object("name")?.string("firstName") == "Al")
      #expect(user.object("name")?.string("lastName") == "<Seed>")
      #expect(user.string("email") == "alice@example.com")
      #expect(try IDToken(fields["id_token"]).claims.bool("is_private_email") == false)
    }
  }

  @Test func `a hidden address is the relay address that the page showed`() async throws {
    try await withSimulator { client in
      let relay = try await client.get("/simulator/persons/alice").json
        .string("appleRelayAddress")
      var browser = try await DialogBrowser.open(DialogURL.apple(), client)
      try await browser.choose("alice")
      #expect(browser.page.text.contains(try #require(relay)))
      let fields = try await browser.goOn("alice", [("email", "hide")]).formFields()
      #expect(JSONText(fields["user"] ?? "").string("email") == relay)
      let claims = try IDToken(fields["id_token"]).claims
      #expect(claims.string("email") == relay)
      #expect(claims.bool("is_private_email") == true)
    }
  }

  @Test func `an emptied name isn't shared`() async throws {
    try await withSimulator { client in
      var browser = try await DialogBrowser.open(DialogURL.apple(), client)
      try await browser.choose("alice")
      let answer = try await browser.goOn("alice", [("first_name", ""), ("last_name", "")])
      let user = JSONText(try answer.formFields()["user"] ?? "")
      #expect(user.names == ["email"])
    }
  }

  @Test func `a second sign-in has no choices, and shares nothing`() async throws {
    try await withSimulator { client in
      _ = try await client.get(DialogURL.apple(["person": "alice", "email": "hide"]))
      var browser = try await DialogBrowser.open(DialogURL.apple(), client)
      try await browser.choose("alice")
      #expect(browser.step == "consent")
      for id in ["first-name", "last-name", "share-email", "hide-email"] {
        #expect(!browser.has(id: id))
      }
      // Parameters that the page doesn't offer are ignored too.
      let answer = try await browser.goOn("alice", [("email", "share"), ("first_name", "Al")])
      let fields = try answer.formFields()
      #expect(fields["user"] == nil)
      #expect(try IDToken(fields["id_token"]).claims.bool("is_private_email") == true)
    }
  }

  @Test func `after a withdrawal the person is asked as at first`() async throws {
    try await withSimulator { client in
      _ = try await client.get(DialogURL.apple(["person": "alice"]))
      _ = try await client.post(
        "/simulator/persons/alice/withdraw-consent",
        json: #"{"provider":"apple","client_id":"com.example.web"}"#)
      var browser = try await DialogBrowser.open(DialogURL.apple(), client)
      try await browser.choose("alice")
      #expect(browser.has(id: "hide-email"))
    }
  }

  @Test func `a cancelled sign-in is Apple's error with the state`() async throws {
    try await withSimulator { client in
      var browser = try await DialogBrowser.open(DialogURL.apple(), client)
      let answer = try await browser.cancel()
      #expect(
        try answer.formFields() == ["state": "s 1", "error": "user_cancelled_authorize"])
    }
  }

  @Test func `a name of more than 256 bytes is refused, and the page stays valid`() async throws {
    try await withSimulator { client in
      var browser = try await DialogBrowser.open(DialogURL.apple(), client)
      let opened = browser
      try await browser.choose("alice")
      let long = String(repeating: "a", count: 257)
      let refused = try await browser.goOn("alice", [("first_name", long), ("last_name", "b")])
      #expect(refused.status == 400)
      #expect(refused.error == "invalid_request")
      browser = opened
      let taken = try await browser.goOn(
        "alice", [("first_name", String(long.dropLast())), ("last_name", "b")])
      #expect(taken.status == 200)
    }
  }
}
