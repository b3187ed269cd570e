import HTTPTypes
import Testing

@Suite struct MicrosoftDialogTests {
  private static func url(_ authority: String, _ more: String = "") -> String {
    "/microsoft/\(authority)/oauth2/v2.0/authorize?client_id=ms-client&response_type=code&state=s"
      + "&redirect_uri=https%3A%2F%2Fapp.example.com%2Fcallback&scope=openid%20profile%20email"
      + more
  }

  private func addPersons(_ client: SimulatorClient) async throws {
    for (id, tenant) in [("work", Tenant.second), ("home", "consumers")] {
      _ = try await client.post(
        "/simulator/persons", json: "{\"id\":\"\(id)\",\"microsoft\":{\"tenant\":\"\(tenant)\"}}")
    }
  }

  @Test(arguments: [
    ("common", "", ["alice", "bob", "work", "home"]),
    ("organizations", "", ["alice", "bob", "work"]), ("consumers", "", ["alice", "bob", "home"]),
    (Tenant.first, "", ["alice", "bob"]), (Tenant.second, "", ["alice", "bob", "work"]),
    ("common", "&domain_hint=consumers", ["home"]),
    ("common", "&domain_hint=organizations", ["alice", "bob", "work"]),
    ("common", "&domain_hint=nowhere.example", []),
  ])
  func `only persons with an account in the tenant are offered`(
    authority: String, more: String, persons: [String]
  ) async throws {
    try await withSimulator { client in
      try await addPersons(client)
      let browser = try await DialogBrowser.open(Self.url(authority, more), client)
      #expect(browser.step == (persons.isEmpty ? "person" : "choose"))
      #expect(browser.persons == persons)
    }
  }

  @Test func `a person is asked once, and signs in silently later`() async throws {
    try await withSimulator { client in
      let silent = Self.url("common", "&prompt=none")
      func answer() async throws -> [String: String] {
        try await DialogBrowser.open(silent, client).page.redirectParameters()
      }
      let before = try await answer()
      #expect(before["error"] == "login_required")
      #expect(before["error_description"]?.hasPrefix("AADSTS50058: ") == true)
      var browser = try await DialogBrowser.open(Self.url("common"), client)
      try await browser.choose("bob")
      #expect(browser.step == "consent")
      let reply = try await browser.goOn("bob")
      #expect(reply.status == 303)
      let code = try reply.redirectParameters()["code"] ?? ""
      let token = try await client.microsoftToken(["code": code, "code_verifier": ""])
      let claims = try IDToken(token.json.string("id_token")).claims
      #expect(claims.string("preferred_username") == "bob@example.com")
      #expect(try await answer()["code"] != nil)
    }
  }

  @Test func `a cancelled sign-in is reported to the app`() async throws {
    try await withSimulator { client in
      var browser = try await DialogBrowser.open(Self.url("common"), client)
      let answer = try await browser.cancel().redirectParameters()
      #expect(answer["error"] == "access_denied")
      #expect(answer["error_subcode"] == "cancel")
    }
  }
}
