import HTTPTypes
import Testing

@Suite struct GitHubDialogTests {
  private static let url =
    "/github/login/oauth/authorize?client_id=gh-client&state=s"
    + "&redirect_uri=https%3A%2F%2Fapp.example.com%2Fcallback&scope=user%3Aemail%20user%3Afollow"

  @Test func `a person is asked once, and again for more scopes`() async throws {
    try await withSimulator { client in
      var browser = try await DialogBrowser.open(Self.url, client)
      #expect(browser.step == "choose")
      #expect(browser.persons == ["alice", "bob"])
      try await browser.choose("bob")
      #expect(browser.step == "consent")
      #expect(browser.page.text.contains("see your email address"))
      #expect(browser.page.text.contains("follow and unfollow users for you"))
      let reply = try await browser.goOn("bob")
      #expect(reply.status == 303)
      let code = try reply.redirectParameters()["code"] ?? ""
      let token = try await client.gitHubExchange(code, ["code_verifier": ""]).json
      #expect(token.string("scope") == "user:email,user:follow")

      var again = try await DialogBrowser.open(Self.url, client)
      try await again.choose("bob")
      #expect(again.page.headers[.location]?.contains("code=") == true)
      var more = try await DialogBrowser.open(Self.url + "%20gist", client)
      try await more.choose("bob")
      #expect(more.step == "consent")
    }
  }

  @Test(arguments: [
    ("de", "anderen Konten folgen oder nicht mehr folgen"),
    ("vi", "theo dõi hoặc bỏ theo dõi người khác thay bạn"),
  ])
  func `the pages are in other languages`(language: String, text: String) async throws {
    try await withSimulator { client in
      let browser = try await DialogBrowser.open(
        Self.url + "&login=bob&prompt=select_account", client, language: language)
      #expect(browser.step == "choose")
      var chosen = browser
      try await chosen.choose("bob")
      #expect(chosen.page.text.contains(text))
    }
  }

  @Test func `a cancelled sign-in is reported to the app`() async throws {
    try await withSimulator { client in
      var browser = try await DialogBrowser.open(Self.url, client)
      let answer = try await browser.cancel().redirectParameters()
      #expect(answer["error"] == "access_denied")
    }
  }
}
