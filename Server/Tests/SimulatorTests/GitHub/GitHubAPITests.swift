import HTTPTypes
import Testing

@Suite struct GitHubAPITests {
  private func header(_ reply: Reply, _ name: String) -> String? {
    HTTPField.Name(name).flatMap { reply.headers[$0] }
  }

  @Test(arguments: ["Bearer", "token", "Token"])
  func `a token is accepted in two schemes`(scheme: String) async throws {
    try await withSimulator { client in
      let token = try await client.gitHubToken()
      let reply = try await client.gitHubGet("/user", token, scheme: scheme)
      #expect(reply.status == 200)
      #expect(header(reply, "x-oauth-scopes") == "read:user, user:email")
      #expect(header(reply, "x-oauth-client-id") == "gh-client")
      #expect(header(reply, "x-accepted-oauth-scopes") == "")
    }
  }

  @Test func `a request must have a User-Agent`() async throws {
    try await withSimulator { client in
      let token = try await client.gitHubToken()
      let refused = try await client.gitHubGet("/user", token, userAgent: nil)
      #expect(refused.status == 403)
      #expect(refused.headers[.contentType] == "text/html")
      #expect(refused.text.hasPrefix("Request forbidden by administrative rules."))
      let check = try await client.send(
        .post, "/github/api/applications/gh-client/token", body: "{}")
      #expect(check.status == 403)
    }
  }

  @Test(
    arguments: [
      (nil, "Requires authentication"), ("gho_madeup", "Bad credentials"),
    ] as [(String?, String)])
  func `an invalid token is refused`(token: String?, message: String) async throws {
    try await withSimulator { client in
      let refused = try await client.gitHubGet("/user", token)
      #expect(refused.status == 401)
      #expect(refused.json.string("message") == message)
      #expect(refused.json.string("status") == "401")
      #expect(refused.json.names == ["message", "documentation_url", "status"])
    }
  }

  @Test func `a token of another provider is refused`() async throws {
    try await withSimulator { client in
      let other = try await client.post("/oidc/native-sign-in", json: #"{"client_id":"gh-client"}"#)
      let refused = try await client.gitHubGet("/user", other.json.string("accessToken"))
      #expect(refused.json.string("message") == "Bad credentials")
    }
  }

  @Test func `requests are limited per hour`() async throws {
    try await withSimulator { client in
      let token = try await client.gitHubToken()
      let first = try await client.gitHubGet("/user", token)
      #expect(header(first, "x-ratelimit-limit") == "5000")
      #expect(header(first, "x-ratelimit-remaining") == "4999")
      #expect(header(first, "x-ratelimit-used") == "1")
      #expect(header(first, "x-ratelimit-reset") == "1750003600")
      #expect(header(first, "x-ratelimit-resource") == "core")
      for _ in 1...60 { _ = try await client.gitHubGet("/user", nil) }
      let refused = try await client.gitHubGet("/user", nil)
      #expect(refused.status == 403)
      #expect(refused.json.string("message") == "API rate limit exceeded.")
      #expect(header(refused, "x-ratelimit-remaining") == "0")
      client.clock.advance(seconds: 3_600)
      #expect(try await client.gitHubGet("/user", nil).status == 401)
      #expect(header(try await client.gitHubGet("/user", token), "x-ratelimit-used") == "1")
    }
  }

  @Test func `an endpoint fails with a configured fault`() async throws {
    try await withSimulator { client in
      let set = try await client.put(
        "/simulator/faults",
        json: """
          {"github":{"setUserInfo":{"id":7},"omitUserInfo":["login"],"setAnswer":{"state":"x"}},
           "endpoints":[{"path":"/github/api/user/emails","status":502,"count":1}]}
          """)
      #expect(set.status == 200)
      #expect(try await client.gitHubAuthorize().redirectParameters()["state"] == "x")
      let token = try await client.gitHubToken()
      #expect(try await client.gitHubGet("/user/emails", token).status == 502)
      #expect(try await client.gitHubGet("/user/emails", token).status == 200)
      let user = try await client.gitHubGet("/user", token).json
      #expect(user.integer("id") == 7)
      #expect(user.string("login") == nil)
    }
  }
}
