import HTTPTypes
import Testing

@Suite struct AppleMigrationTests {
  /// A secret of the app, signed by its team at that time.
  private func secret(_ team: String, secondsLater: Int = 0) throws -> String {
    var secret = AppleSecret()
    secret.team = team
    secret.issuedAt += secondsLater
    secret.expiry += secondsLater
    return try secret.text()
  }

  private func token(_ client: SimulatorClient, _ secret: String) async throws -> String {
    let reply = try await client.post(
      "/apple/auth/token",
      form: [
        "client_id": "com.example.app", "client_secret": secret,
        "grant_type": "client_credentials", "scope": "user.migration",
      ])
    return try #require(reply.json.string("access_token"))
  }

  private func ask(
    _ client: SimulatorClient, _ secret: String, _ parameters: [String: String],
    token: String? = nil
  ) async throws -> Reply {
    let bearer: String
    if let token { bearer = token } else { bearer = try await self.token(client, secret) }
    let form = parameters.map { Form.encode([$0.key: $0.value]) }.joined(separator: "&")
    let app = Form.encode(["client_id": "com.example.app", "client_secret": secret])
    return try await client.send(
      .post, "/apple/auth/usermigrationinfo",
      headers: [
        .contentType: "application/x-www-form-urlencoded", .authorization: "Bearer \(bearer)",
      ], body: "\(app)&\(form)")
  }

  private func transfer(_ client: SimulatorClient) async throws {
    _ = try await client.post(
      "/simulator/apple/transfer",
      json: "{\"client_id\":\"com.example.app\",\"team_id\":\"TEAM654321\"}")
  }

  @Test func `the old team gets the transfer identifier, and the new team the user for it`()
    async throws
  {
    try await withSimulator { client in
      let before = try await client.appleSignIn("\"email\":\"hide\"").string("user") ?? ""
      let made = try await ask(
        client, secret("TEAM123456"), ["sub": before, "target": "TEAM654321"])
      let transferSub = try #require(made.json.string("transfer_sub"))
      try await transfer(client)
      let signIn = try await client.appleSignIn()
      let token = try IDToken(signIn.string("identityToken"))
      #expect(token.claims.string("transfer_sub") == transferSub)
      let found = try await ask(
        client, secret("TEAM654321"), ["transfer_sub": transferSub])
      #expect(found.json.string("sub") == signIn.string("user"))
      #expect(found.json.bool("is_private_email") == true)
      #expect(found.json.string("email") == token.claims.string("email"))
    }
  }

  @Test func `after 60 days a transfer identifier is invalid`() async throws {
    try await withSimulator { client in
      let before = try await client.appleSignIn().string("user") ?? ""
      let made = try await ask(
        client, secret("TEAM123456"), ["sub": before, "target": "TEAM654321"])
      let transferSub = try #require(made.json.string("transfer_sub"))
      try await transfer(client)
      client.clock.advance(seconds: 5_184_000)
      let reply = try await ask(
        client, secret("TEAM654321", secondsLater: 5_184_000), ["transfer_sub": transferSub])
      #expect(reply.error == "invalid_request")
      let signIn = try await client.appleSignIn()
      let later = try IDToken(signIn.string("identityToken"))
      #expect(later.claims.string("transfer_sub") == nil)
    }
  }

  @Test func `a user's access token can't query users`() async throws {
    try await withSimulator { client in
      let signIn = try await client.appleSignIn()
      let tokens = try await client.appleExchange(signIn.string("authorizationCode")).json
      let reply = try await ask(
        client, secret("TEAM123456"),
        ["sub": signIn.string("user") ?? "", "target": "TEAM654321"],
        token: tokens.string("access_token"))
      #expect(reply.status == 401)
      #expect(reply.error == "invalid_client")
    }
  }

  @Test func `an unknown sub is refused`() async throws {
    try await withSimulator { client in
      let reply = try await ask(
        client, secret("TEAM123456"), ["sub": "000000.00.0000", "target": "TEAM654321"])
      #expect(reply.error == "invalid_request")
    }
  }

  @Test func `the scope of the token must be user migration`() async throws {
    try await withSimulator { client in
      let reply = try await client.post(
        "/apple/auth/token",
        form: [
          "client_id": "com.example.app", "client_secret": AppleSecret.good(),
          "grant_type": "client_credentials", "scope": "email",
        ])
      #expect(reply.error == "invalid_scope")
    }
  }
}
