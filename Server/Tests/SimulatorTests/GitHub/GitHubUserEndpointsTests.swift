import Testing

@Suite struct GitHubUserEndpointsTests {
  @Test func `a person has a number and a login, and shows no address`() async throws {
    try await withSimulator { client in
      let user = try await client.gitHubGet("/user", try await client.gitHubToken()).json
      #expect(user.string("login") == "alice")
      #expect((user.integer("id") ?? 0) > 10_000_000)
      #expect(user.string("name") == "Alice Appleseed")
      #expect(user.isNull("email"))
      #expect(user.string("type") == "User")
      let picture = user.string("avatar_url") ?? ""
      #expect(picture.hasPrefix("\(client.baseURL)/github/avatars/u/"))
      let shown = try await client.get(String(picture.dropFirst(client.baseURL.count)))
      #expect(shown.headers[.contentType] == "image/svg+xml")
    }
  }

  @Test func `a test can configure the account`() async throws {
    try await withSimulator { client in
      let made = try await client.post(
        "/simulator/persons",
        json: """
          {"id":"carol","github":{"login":"carol-codes","id":583231,
           "publicEmail":"carol@work.example","emails":[
             {"email":"old@example.com","verified":false},
             {"email":"carol@work.example","primary":true}]}}
          """)
      #expect(made.status == 201)
      #expect(made.json.object("githubAccount")?.string("login") == "carol-codes")
      #expect(made.json.object("subjects")?.string("github") == "583231")
      let token = try await client.gitHubToken(#""person":"carol""#)
      let user = try await client.gitHubGet("/user", token).json
      #expect(user.integer("id") == 583_231)
      #expect(user.string("email") == "carol@work.example")
      #expect(user.isNull("name"))
      let emails = try await client.gitHubGet("/user/emails", token)
      #expect(
        emails.text == """
          [{"email":"carol@work.example","primary":true,"verified":true,"visibility":"public"},\
          {"email":"old@example.com","primary":false,"verified":false,"visibility":null},\
          {"email":"583231+carol-codes@users.noreply.github.com","primary":false,"verified":true,\
          "visibility":null}]
          """)
    }
  }

  @Test(arguments: [
    (#"["user:email"]"#, 200), (#"["user"]"#, 200), (#"["read:user"]"#, 404), ("[]", 404),
  ])
  func `addresses need a scope`(scopes: String, status: Int) async throws {
    try await withSimulator { client in
      let token = try await client.gitHubToken("\"scopes\":\(scopes)")
      let reply = try await client.gitHubGet("/user/emails", token)
      #expect(reply.status == status)
      #expect(reply.json.string("message") == (status == 200 ? nil : "Not Found"))
      #expect(try await client.gitHubGet("/user", token).status == 200)
    }
  }

  @Test func `private members of the account need a scope`() async throws {
    try await withSimulator { client in
      for (scopes, isThere) in [(#"["read:user"]"#, true), ("[]", false)] {
        let token = try await client.gitHubToken("\"scopes\":\(scopes)")
        let user = try await client.gitHubGet("/user", token).json
        #expect(user.names.contains("two_factor_authentication") == isThere)
      }
    }
  }

  @Test func `a person who stops using the app has no valid token left`() async throws {
    try await withSimulator { client in
      let token = try await client.gitHubToken()
      let reply = try await client.post(
        "/simulator/persons/alice/withdraw-consent",
        json: #"{"provider":"github","client_id":"gh-client"}"#)
      #expect(reply.text == #"{"notifications":[]}"#)
      #expect(try await client.gitHubGet("/user", token).status == 401)
    }
  }
}
