import Testing

@Suite struct AppleGroupTests {
  private func group(_ client: SimulatorClient, _ members: String = "") async throws -> Reply {
    try await client.put(
      "/simulator/clients",
      json: """
        {"provider":"apple","client_id":"com.example.web","primary_app":"com.example.app"\(members)}
        """)
  }

  private func signIn(_ clientID: String, _ client: SimulatorClient) async throws -> JSONText {
    try await client.post("/apple/native-sign-in", json: "{\"client_id\":\"\(clientID)\"}").json
  }

  @Test func `a group has one consent, so the name is sent once`() async throws {
    try await withSimulator { client in
      try #require(try await group(client).status == 200)
      let app = try await signIn("com.example.app", client)
      let web = try await signIn("com.example.web", client)
      #expect(app.object("fullName")?.string("givenName") == "Alice")
      #expect(web.isNull("fullName"))
      #expect(web.isNull("email"))
      #expect(web.string("user") == app.string("user"))
    }
  }

  @Test func `without a group each client gets the name`() async throws {
    try await withSimulator { client in
      _ = try await signIn("com.example.app", client)
      let web = try await signIn("com.example.web", client)
      #expect(web.object("fullName")?.string("givenName") == "Alice")
    }
  }

  @Test func `withdrawing an app's consent ends its group's`() async throws {
    try await withSimulator { client in
      try #require(try await group(client).status == 200)
      let user = try await signIn("com.example.web", client).string("user") ?? ""
      let reply = try await client.post(
        "/simulator/persons/alice/withdraw-consent",
        json: "{\"provider\":\"apple\",\"client_id\":\"com.example.web\"}")
      #expect(reply.json.objects("notifications").first?.string("client_id") == "com.example.app")
      for clientID in ["com.example.app", "com.example.web"] {
        let state = try await client.get(
          "/apple/credential-state", query: ["client_id": clientID, "user": user])
        #expect(state.json.string("state") == "revoked")
      }
    }
  }

  @Test func `a group moves to another team as one`() async throws {
    try await withSimulator { client in
      try #require(try await group(client).status == 200)
      let before = try await signIn("com.example.web", client).string("user")
      let reply = try await client.post(
        "/simulator/apple/transfer",
        json: "{\"client_id\":\"com.example.app\",\"team_id\":\"TEAM654321\"}")
      #expect(reply.status == 200)
      let app = try await signIn("com.example.app", client).string("user")
      #expect(app != before)
      #expect(try await signIn("com.example.web", client).string("user") == app)
    }
  }

  @Test func `a member is not transferred by itself`() async throws {
    try await withSimulator { client in
      try #require(try await group(client).status == 200)
      let reply = try await client.post(
        "/simulator/apple/transfer",
        json: "{\"client_id\":\"com.example.web\",\"team_id\":\"TEAM654321\"}")
      #expect(reply.error == "invalid_request")
    }
  }

  @Test func `a group has one level`() async throws {
    try await withSimulator { client in
      try #require(try await group(client).status == 200)
      let reply = try await client.put(
        "/simulator/clients",
        json: """
          {"provider":"apple","client_id":"com.example.tv","primary_app":"com.example.web"}
          """)
      #expect(reply.error == "invalid_request")
    }
  }

  @Test func `a group is of one team`() async throws {
    try await withSimulator { client in
      let sameTeam = try await group(client, ",\"team_id\":\"SIMULATED0\"")
      #expect(sameTeam.status == 200)
      let otherTeam = try await group(client, ",\"team_id\":\"TEAM654321\"")
      #expect(otherTeam.error == "invalid_request")
    }
  }

  @Test func `the account settings list the apps that use the person's accounts`() async throws {
    try await withSimulator { client in
      _ = try await client.appleSignIn("\"email\":\"hide\"")
      client.clock.advance(seconds: 60)
      _ = try await client.post("/google/native-sign-in", json: "{\"client_id\":\"web\"}")
      let apps = try await client.get("/simulator/persons/alice/apps").json.objects("apps")
      #expect(apps.map { $0.string("provider") } == ["apple", "google"])
      #expect(apps.map { $0.string("client_id") } == ["com.example.app", "web"])
      #expect(apps.first?.bool("hides_email") == true)
      #expect(apps.first?.string("since") == "2025-06-15T15:06:40Z")
      #expect(apps.last?.isNull("hides_email") == true)
      _ = try await client.post(
        "/simulator/persons/alice/withdraw-consent",
        json: "{\"provider\":\"apple\",\"client_id\":\"com.example.app\"}")
      let rest = try await client.get("/simulator/persons/alice/apps").json.objects("apps")
      #expect(rest.map { $0.string("provider") } == ["google"])
    }
  }
}
