import Testing

@Suite struct GitHubNativeSignInTests {
  @Test func `a token is issued without a browser`() async throws {
    try await withSimulator { client in
      let reply = try await client.post(
        "/github/native-sign-in", json: #"{"client_id":"gh-client","person":"bob"}"#)
      #expect(reply.status == 200)
      #expect(reply.json.string("login") == "bob")
      #expect(reply.json.string("tokenType") == "bearer")
      #expect(reply.json.string("scope") == "read:user,user:email")
      let token = reply.json.string("accessToken")
      let user = try await client.gitHubGet("/user", token).json
      #expect(user.integer("id") == reply.json.integer("id"))
    }
  }

  @Test func `a token can be expired at once`() async throws {
    try await withSimulator { client in
      let token = try await client.gitHubToken(#""faults":{"expiredTokens":true}"#)
      #expect(try await client.gitHubGet("/user", token).status == 401)
      client.clock.advance(seconds: 31_536_000)
      #expect(try await client.gitHubGet("/user", client.gitHubToken()).status == 200)
    }
  }

  @Test(arguments: [
    (#"{"client_id":"c","person":"nobody"}"#, 404, "person_not_found"),
    (#"{"client_id":""}"#, 400, "invalid_request"),
    (#"{"client_id":"c","nonce":"n"}"#, 400, "invalid_request"),
  ])
  func `an invalid call is refused`(body: String, status: Int, error: String) async throws {
    try await withSimulator { client in
      let reply = try await client.post("/github/native-sign-in", json: body)
      #expect(reply.status == status)
      #expect(reply.error == error)
    }
  }
}
