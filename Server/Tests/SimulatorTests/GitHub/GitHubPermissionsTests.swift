import HTTPTypes
import Testing

@Suite struct GitHubPermissionsTests {
  /// Registers the usual client as a GitHub App.
  private func register(_ permissions: String, _ client: SimulatorClient) async throws -> Reply {
    try await client.put(
      "/simulator/clients",
      json: """
        {"provider":"github","client_id":"gh-client","client_secret":"made-up-secret",
         "permissions":\(permissions)}
        """)
  }

  @Test func `a GitHub App's tokens have no scopes, whatever it asks for`() async throws {
    try await withSimulator { client in
      #expect(try await register(#"{"emails":"read"}"#, client).status == 200)
      let issued = try await client.gitHubExchange(try await client.gitHubCode()).json
      #expect(issued.string("scope") == "")
      let token = issued.string("access_token") ?? ""
      #expect(try /ghu_[A-Za-z0-9]{36}/.wholeMatch(in: token) != nil)
      let user = try await client.gitHubGet("/user", token)
      #expect(user.status == 200)
      #expect(HTTPField.Name("x-oauth-scopes").flatMap { user.headers[$0] } == "")
      let checked = try await client.gitHubApplications(
        .post, "token", body: "{\"access_token\":\"\(token)\"}")
      #expect(checked.json.strings("scopes") == [])
    }
  }

  @Test func `the consent page lists no scopes of a GitHub App`() async throws {
    try await withSimulator { client in
      let url =
        "/github/login/oauth/authorize?client_id=gh-client&state=s"
        + "&redirect_uri=https%3A%2F%2Fapp.example.com%2Fcallback&scope=user%3Aemail"
      for isGitHubApp in [false, true] {
        if isGitHubApp { _ = try await register("{}", client) }
        var browser = try await DialogBrowser.open(url, client)
        try await browser.choose("bob")
        #expect(browser.page.text.contains("see your email address") == !isGitHubApp)
      }
    }
  }

  @Test(arguments: [
    (#"{"emails":"read"}"#, 200), (#"{"emails":"write"}"#, 200), ("{}", 403),
  ])
  func `a GitHub App reads addresses with the permission`(
    permissions: String, status: Int
  ) async throws {
    try await withSimulator { client in
      _ = try await register(permissions, client)
      let reply = try await client.gitHubGet("/user/emails", try await client.gitHubToken())
      #expect(reply.status == status)
      #expect(
        reply.json.string("message")
          == (status == 200 ? nil : "Resource not accessible by integration"))
    }
  }

  @Test(arguments: [
    #"{"contents":"read"}"#, #"{"emails":"none"}"#, #"{"emails":true}"#, #"["emails"]"#,
  ])
  func `an unknown permission is refused`(permissions: String) async throws {
    try await withSimulator { client in
      let reply = try await register(permissions, client)
      #expect(reply.error == "invalid_request")
      #expect(
        reply.errorDescription
          == "\"permissions\" may contain only \"emails\", which is \"read\" or \"write\".")
    }
  }

  @Test func `a native sign-in at a GitHub App has no scopes`() async throws {
    try await withSimulator { client in
      let body = #"{"client_id":"gh-client","scopes":["user:email"]}"#
      #expect(try await client.post("/github/native-sign-in", json: body).status == 200)
      _ = try await register("{}", client)
      let reply = try await client.post("/github/native-sign-in", json: body)
      #expect(reply.error == "invalid_request")
      #expect(
        reply.errorDescription
          == "The client is a GitHub App: it has \"permissions\" in place of \"scopes\".")
    }
  }
}
