import Testing

@Suite struct GitHubAccountTests {
  @Test(arguments: [
    (#"{"login":"-a"}"#, "\"github.login\" must be 1 to 39 letters, digits and single hyphens"),
    (#"{"login":"a--b"}"#, "\"github.login\" must be 1 to 39 letters, digits and single hyphens"),
    (#"{"id":0}"#, "\"github.id\" must be 1 or more"),
    (#"{"emails":[]}"#, "\"github.emails\" must contain 1 to 20 addresses"),
    (
      #"{"emails":[{"email":"a@example.com"}]}"#,
      "One address of \"github.emails\" must be the primary one"
    ),
    (
      #"{"logins":"a"}"#,
      "Unknown member \"logins\". Known: emails, id, login, publicEmail."
    ),
  ])
  func `an invalid account is refused`(account: String, message: String) async throws {
    try await withSimulator { client in
      let reply = try await client.post(
        "/simulator/persons", json: "{\"id\":\"carol\",\"github\":\(account)}")
      #expect(reply.status == 400)
      #expect(reply.error == "invalid_request")
      #expect(reply.errorDescription == message)
    }
  }

  @Test(arguments: [("a.b_c", "a-b-c"), ("._-", "user"), ("Carol", "Carol")])
  func `a login is derived from the id`(id: String, login: String) async throws {
    try await withSimulator { client in
      let made = try await client.post("/simulator/persons", json: "{\"id\":\"\(id)\"}")
      #expect(made.json.object("githubAccount")?.string("login") == login)
    }
  }

  @Test func `an account is the same in every run`() async throws {
    let ids = try await [
      withSimulator { try await $0.gitHubGet("/user", $0.gitHubToken()).json.integer("id") },
      withSimulator { try await $0.gitHubGet("/user", $0.gitHubToken()).json.integer("id") },
    ]
    #expect(ids[0] == ids[1])
  }
}
