import Testing

@Suite struct AppleRevokeTests {
  @Test(arguments: ["refresh_token", "access_token"])
  func `revoking a token ends the consent`(kind: String) async throws {
    try await withSimulator { client in
      let signIn = try await client.appleSignIn()
      let tokens = try await client.appleExchange(signIn.string("authorizationCode")).json
      #expect(try await state(signIn, client) == "authorized")

      let reply = try await revoke(tokens.string(kind), hint: kind, client)
      #expect(reply.status == 200)
      #expect(reply.body.isEmpty)
      #expect(try await state(signIn, client) == "revoked")
      let refreshed = try await client.appleRefresh(tokens.string("refresh_token"))
      #expect(refreshed.status == 400)
      #expect(refreshed.error == "invalid_grant")
    }
  }

  @Test func `a code from before the revocation is invalid`() async throws {
    try await withSimulator { client in
      let first = try await client.appleSignIn()
      let second = try await client.appleSignIn()
      let tokens = try await client.appleExchange(first.string("authorizationCode")).json
      _ = try await revoke(tokens.string("refresh_token"), hint: "refresh_token", client)
      let reply = try await client.appleExchange(second.string("authorizationCode"))
      #expect(reply.error == "invalid_grant")
    }
  }

  @Test func `after a new sign-in the state is authorized, old tokens stay invalid`() async throws {
    try await withSimulator { client in
      let signIn = try await client.appleSignIn()
      let tokens = try await client.appleExchange(signIn.string("authorizationCode")).json
      _ = try await revoke(tokens.string("refresh_token"), hint: "refresh_token", client)
      let again = try await client.appleSignIn()
      #expect(again.object("fullName") != nil)
      #expect(try await state(again, client) == "authorized")
      #expect(
        try await client.appleRefresh(tokens.string("refresh_token")).error == "invalid_grant")
    }
  }

  @Test func `an unknown token gets the same response`() async throws {
    try await withSimulator { client in
      let reply = try await revoke("unknown", hint: "refresh_token", client)
      #expect(reply.status == 200)
    }
  }

  @Test func `another app's token is not revoked`() async throws {
    try await withSimulator { client in
      let signIn = try await client.appleSignIn()
      let tokens = try await client.appleExchange(signIn.string("authorizationCode")).json
      let reply = try await client.post(
        "/apple/auth/revoke",
        form: [
          "client_id": "com.example.other",
          "client_secret": AppleSecret.good("com.example.other"),
          "token": tokens.string("refresh_token") ?? "",
        ])
      #expect(reply.status == 400)
      #expect(reply.error == "invalid_grant")
      #expect(try await state(signIn, client) == "authorized")
    }
  }

  @Test func `revoking needs a client secret`() async throws {
    try await withSimulator { client in
      let reply = try await client.post(
        "/apple/auth/revoke",
        form: ["client_id": "com.example.app", "client_secret": "x", "token": "t"])
      #expect(reply.status == 400)
      #expect(reply.error == "invalid_client")
    }
  }

  @Test func `a person who never signed in is not found`() async throws {
    try await withSimulator { client in
      let reply = try await client.get(
        "/apple/credential-state", query: ["client_id": "com.example.app", "user": "000000.x.0000"])
      #expect(reply.json.string("state") == "notFound")
    }
  }

  @Test func `another app's person is not found`() async throws {
    try await withSimulator { client in
      let signIn = try await client.appleSignIn()
      let reply = try await client.get(
        "/apple/credential-state",
        query: ["client_id": "com.example.other", "user": signIn.string("user") ?? ""])
      #expect(reply.json.string("state") == "notFound")
    }
  }

  @Test func `after a transfer the old id is transferred and there is a new one`() async throws {
    try await withSimulator { client in
      let before = try await client.appleSignIn()
      let moved = try await client.post(
        "/simulator/apple/transfer", json: #"{"client_id":"com.example.app","team_id":"TEAM2"}"#)
      #expect(moved.status == 200)
      #expect(try await state(before, client) == "transferred")
      let after = try await client.appleSignIn()
      #expect(after.string("user") != before.string("user"))
      #expect(try await state(after, client) == "authorized")
      let claims = try IDToken(after.string("identityToken")).claims
      #expect(claims.string("transfer_sub")?.isEmpty == false)
    }
  }

  private func revoke(
    _ token: String?, hint: String, _ client: SimulatorClient
  ) async throws -> Reply {
    try await client.post(
      "/apple/auth/revoke",
      form: [
        "client_id": "com.example.app", "client_secret": AppleSecret.good(),
        "token": token ?? "", "token_type_hint": hint,
      ])
  }

  private func state(_ signIn: JSONText, _ client: SimulatorClient) async throws -> String? {
    try await client.get(
      "/apple/credential-state",
      query: ["client_id": "com.example.app", "user": signIn.string("user") ?? ""]
    ).json.string("state")
  }
}
