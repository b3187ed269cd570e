import Testing

@Suite struct GitHubApplicationsTests {
  @Test func `an app checks its token`() async throws {
    try await withSimulator { client in
      try await client.registerGitHubClient()
      let token = try await client.gitHubToken()
      let reply = try await client.gitHubApplications(
        .post, "token", body: "{\"access_token\":\"\(token)\"}")
      #expect(reply.status == 200)
      #expect(reply.json.strings("scopes") == ["read:user", "user:email"])
      #expect(reply.json.string("token") == token)
      #expect(reply.json.object("app")?.string("client_id") == "gh-client")
      #expect(reply.json.isNull("expires_at"))
      #expect(reply.json.string("created_at") == "2025-06-15T15:06:40Z")
      let user = try await client.gitHubGet("/user", token).json
      #expect(reply.json.object("user")?.integer("id") == user.integer("id"))
      #expect(reply.json.object("user")?.string("login") == "alice")
    }
  }

  @Test func `another app's token is not found`() async throws {
    try await withSimulator { client in
      let token = try await client.gitHubToken()
      let body = "{\"access_token\":\"\(token)\"}"
      let reply = try await client.gitHubApplications(
        .post, "token", body: body, basic: "gh-other:secret", client: "gh-other")
      #expect(reply.status == 404)
      #expect(reply.json.string("message") == "Not Found")
      let own = try await client.gitHubApplications(.post, "token", body: body)
      #expect(own.status == 200)
    }
  }

  @Test(
    arguments: [
      ("gh-client:wrong", "gh-client", 401, "Bad credentials"),
      (nil, "gh-client", 401, "Requires authentication"),
      ("gh-client:made-up-secret", "gh-other", 404, "Not Found"),
    ] as [(String?, String, Int, String)])
  func `only the app itself can manage its tokens`(
    basic: String?, path: String, status: Int, message: String
  ) async throws {
    try await withSimulator { client in
      try await client.registerGitHubClient()
      let token = try await client.gitHubToken()
      let reply = try await client.gitHubApplications(
        .post, "token", body: "{\"access_token\":\"\(token)\"}", basic: basic, client: path)
      #expect(reply.status == status)
      #expect(reply.json.string("message") == message)
    }
  }

  @Test(arguments: [
    ("POST", "token"), ("DELETE", "token"), ("DELETE", "grant"),
  ])
  func `an invalid body is refused`(method: String, what: String) async throws {
    try await withSimulator { client in
      for (body, status) in [
        ("", 400), ("[]", 400), ("{}", 422), (#"{"access_token":""}"#, 422),
        (#"{"access_token":"gho_madeup"}"#, 404),
      ] {
        let reply = try await client.gitHubApplications(
          method == "POST" ? .post : .delete, what, body: body)
        #expect(reply.status == status)
      }
    }
  }

  @Test func `a token is revoked without the others`() async throws {
    try await withSimulator { client in
      let (token, other) = (try await client.gitHubToken(), try await client.gitHubToken())
      let reply = try await client.gitHubApplications(
        .delete, "token", body: "{\"access_token\":\"\(token)\"}")
      #expect(reply.status == 204)
      #expect(reply.text == "")
      #expect(try await client.gitHubGet("/user", token).status == 401)
      #expect(try await client.gitHubGet("/user", other).status == 200)
    }
  }

  @Test func `a grant ends with all its tokens`() async throws {
    try await withSimulator { client in
      let (token, other) = (try await client.gitHubToken(), try await client.gitHubToken())
      let reply = try await client.gitHubApplications(
        .delete, "grant", body: "{\"access_token\":\"\(token)\"}")
      #expect(reply.status == 204)
      #expect(try await client.gitHubGet("/user", other).status == 401)
      let apps = try await client.get("/simulator/persons/alice/apps")
      #expect(apps.json.objects("apps").isEmpty)
    }
  }
}
