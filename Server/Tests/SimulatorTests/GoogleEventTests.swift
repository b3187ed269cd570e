import Testing

/// Google's Cross-Account Protection.
@Suite struct GoogleEventTests {
  private static let risc = "https://schemas.openid.net/secevent/risc/event-type/"
  private static let oauth = "https://schemas.openid.net/secevent/oauth/event-type/"

  private func register(
    _ url: String, _ client: SimulatorClient, as clientID: String = "web"
  ) async throws {
    let reply = try await client.put(
      "/simulator/clients",
      json: """
        {"provider":"google","client_id":"\(clientID)","notification_url":"\(url)"}
        """)
    try #require(reply.status == 200)
  }

  private func signIn(
    _ client: SimulatorClient, _ members: String = ""
  ) async throws -> JSONText {
    let more = members.isEmpty ? "" : ",\(members)"
    return try await client.post(
      "/google/native-sign-in", json: "{\"client_id\":\"web\"\(more)}"
    ).json
  }

  private func send(_ client: SimulatorClient, _ members: String) async throws -> Reply {
    try await client.post("/simulator/google/events", json: "{\"client_id\":\"web\",\(members)}")
  }

  private func withdraw(_ client: SimulatorClient) async throws -> [JSONText] {
    try await client.post(
      "/simulator/persons/alice/withdraw-consent",
      json: "{\"provider\":\"google\",\"client_id\":\"web\"}"
    ).json.objects("notifications")
  }

  /// The token of the last event.
  private func lastToken(_ client: SimulatorClient) async throws -> IDToken {
    let last = try await client.get("/simulator/google/events").json.objects("notifications").last
    return try IDToken(last?.string("payload"))
  }

  @Test func `the body is the token itself, signed by Google and without an expiry`() async throws {
    try await withReceiver { receiver in
      receiver.answer(with: 202)
      try await withSimulator { client in
        try await register(receiver.url, client)
        let idToken = try IDToken(try await signIn(client).string("idToken"))
        let reply = try await send(client, "\"person\":\"alice\",\"type\":\"sessions-revoked\"")
        #expect(reply.json.objects("notifications").first?.bool("delivered") == true)
        #expect(receiver.received.map(\.contentType) == ["application/secevent+jwt"])
        let token = try IDToken(receiver.received.first?.body)
        #expect(try token.isSigned(by: try await client.get("/google/oauth2/v3/certs")))
        #expect(token.claims.names == ["iss", "aud", "iat", "jti", "events"])
        #expect(token.claims.string("iss") == "https://accounts.google.com/")
        #expect(token.claims.string("aud") == "web")
        #expect(token.claims.integer("iat") == 1_750_000_000)
        let events = try #require(token.claims.object("events"))
        #expect(events.names == [Self.risc + "sessions-revoked"])
        let event = try #require(events.object(Self.risc + "sessions-revoked"))
        let subject = try #require(event.object("subject"))
        #expect(subject.string("subject_type") == "iss-sub")
        #expect(subject.string("iss") == "https://accounts.google.com/")
        #expect(subject.string("sub") == idToken.claims.string("sub"))
      }
    }
  }

  @Test(arguments: [
    "sessions-revoked", "account-disabled", "account-enabled", "account-purged",
    "account-credential-change-required", "tokens-revoked",
  ])
  func `each event about an account has the type of its family`(type: String) async throws {
    try await withSimulator { client in
      #expect(try await send(client, "\"type\":\"\(type)\"").status == 200)
      let events = try #require(try await lastToken(client).claims.object("events"))
      let name = (type == "tokens-revoked" ? Self.oauth : Self.risc) + type
      #expect(events.object(name)?.object("subject")?.string("sub")?.isEmpty == false)
    }
  }

  @Test func `a disabled account has a reason, if one is given`() async throws {
    try await withSimulator { client in
      for reason in ["hijacking", "bulk-account"] {
        _ = try await send(client, "\"type\":\"account-disabled\",\"reason\":\"\(reason)\"")
        let event = try await lastToken(client).claims.object("events")?
          .object(Self.risc + "account-disabled")
        #expect(event?.string("reason") == reason)
      }
      _ = try await send(client, "\"type\":\"account-disabled\"")
      let event = try await lastToken(client).claims.object("events")?
        .object(Self.risc + "account-disabled")
      #expect(event?.names == ["subject"])
    }
  }

  @Test func `a verification has a state and no subject`() async throws {
    try await withSimulator { client in
      let reply = try await send(client, "\"type\":\"verification\",\"state\":\"ping 1\"")
      #expect(reply.json.objects("notifications").first?.isNull("sub") == true)
      #expect(reply.json.objects("notifications").first?.string("state") == "ping 1")
      let event = try await lastToken(client).claims.object("events")?
        .object(Self.risc + "verification")
      #expect(event?.names == ["state"])
      #expect(event?.string("state") == "ping 1")
      _ = try await send(client, "\"type\":\"verification\"")
      let other = try await lastToken(client).claims.object("events")?
        .object(Self.risc + "verification")
      #expect(other?.string("state")?.isEmpty == false)
    }
  }

  @Test func `a revoked token is named by its beginning, and no person is`() async throws {
    try await withSimulator { client in
      #expect(
        try await send(client, "\"type\":\"token-revoked\"").error == "token_not_found")
      let refreshToken = try #require(try await signIn(client).string("refreshToken"))
      #expect(try await send(client, "\"type\":\"token-revoked\"").status == 200)
      let subject = try await lastToken(client).claims.object("events")?
        .object(Self.oauth + "token-revoked")?.object("subject")
      #expect(subject?.string("subject_type") == "oauth_token")
      #expect(subject?.string("token_type") == "refresh_token")
      #expect(subject?.string("token_identifier_alg") == "prefix")
      #expect(subject?.string("token") == String(refreshToken.prefix(16)))
      #expect(subject?.string("sub") == nil)
    }
  }

  @Test(arguments: [
    "\"type\":\"sessions-revoked\",\"reason\":\"hijacking\"",
    "\"type\":\"account-disabled\",\"reason\":\"other\"",
    "\"type\":\"account-disabled\",\"state\":\"s\"",
    "\"type\":\"verification\",\"person\":\"alice\"",
    "\"type\":\"account-deleted\"", "\"type\":\"verification\",\"nonce\":\"n\"",
  ])
  func `what Google's event doesn't have is refused`(members: String) async throws {
    try await withSimulator { client in
      #expect(try await send(client, members).error == "invalid_request")
      let list = try await client.get("/simulator/google/events").json
      #expect(list.objects("notifications").isEmpty)
    }
  }

  @Test func `clients with one receiver are one audience`() async throws {
    try await withSimulator { client in
      try await register("http://127.0.0.1:1/events", client)
      try await register("http://127.0.0.1:1/events", client, as: "ios")
      try await register("http://127.0.0.1:1/other", client, as: "another")
      _ = try await send(client, "\"type\":\"sessions-revoked\"")
      #expect(try await lastToken(client).claims.strings("aud") == ["web", "ios"])
    }
  }

  @Test func `only 202 is a delivery, and others are sent again`() async throws {
    try await withReceiver { receiver in
      try await withSimulator { client in
        try await register(receiver.url, client)
        let failed = try await send(client, "\"type\":\"verification\"").json
          .objects("notifications").first
        #expect(failed?.integer("status") == 200)
        #expect(failed?.bool("delivered") == false)
        receiver.answer(with: 202)
        let again = try await client.post("/simulator/google/events/redeliver", json: "{}").json
          .objects("notifications").first
        #expect(again?.integer("attempts") == 2)
        #expect(again?.bool("delivered") == true)
        #expect(again?.string("answer") == "{\"answer\":202}")
        #expect(receiver.received.map(\.body).first == receiver.received.map(\.body).last)
      }
    }
  }

  @Test func `faults change the token`() async throws {
    try await withSimulator { client in
      _ = try await send(
        client,
        """
        "type":"verification","faults":{"badSignature":true,"setClaims":{"aud":["a","b"]},
          "omitClaims":["jti"],"setHeader":{"typ":"secevent+jwt"}}
        """)
      let token = try await lastToken(client)
      #expect(token.claims.strings("aud") == ["a", "b"])
      #expect(token.claims.string("jti") == nil)
      #expect(token.header.string("typ") == "secevent+jwt")
      #expect(try token.isSigned(by: try await client.get("/google/oauth2/v3/certs")) == false)
    }
  }

  @Test func `a withdrawn consent is reported, to registered receivers only`() async throws {
    try await withReceiver { receiver in
      receiver.answer(with: 202)
      try await withSimulator { client in
        _ = try await signIn(client)
        #expect(try await withdraw(client).isEmpty)
        try await register(receiver.url, client)
        // Google reports only about those who gave access to their profile or address.
        _ = try await signIn(client, "\"scopes\":[\"openid\"]")
        #expect(try await withdraw(client).isEmpty)
        _ = try await signIn(client)
        let told = try await withdraw(client)
        #expect(told.map { $0.string("type") } == ["tokens-revoked"])
        #expect(told.first?.string("provider") == "google")
        #expect(told.first?.bool("delivered") == true)
        #expect(receiver.received.count == 1)
      }
    }
  }

  @Test func `a deleted person is reported as purged`() async throws {
    try await withSimulator { client in
      try await register("http://127.0.0.1:1/events", client)
      let sub = try IDToken(try await signIn(client).string("idToken")).claims.string("sub")
      let reply = try await client.send(.delete, "/simulator/persons/alice")
      let told = reply.json.objects("notifications")
      #expect(told.map { $0.string("type") } == ["account-purged"])
      #expect(told.first?.string("sub") == sub)
      #expect(told.first?.isNull("status") == true)
    }
  }

  @Test func `the overview lists events, and its buttons send some`() async throws {
    try await withSimulator { client in
      try await register("http://127.0.0.1:1/events", client)
      _ = try await signIn(client)
      let clicked = try await client.post(
        "/simulator/page/google-event",
        form: [
          "person": "alice", "client_id": "web", "type": "account-disabled",
          "reason": "hijacking",
        ])
      #expect(clicked.status == 303)
      let page = try await client.get("/", headers: [.accept: "text/html"]).text
      #expect(page.contains("Google&#39;s events") || page.contains("Google's events"))
      for text in ["account-disabled", "no response", "notified at http://127.0.0.1:1/events"] {
        #expect(page.contains(text))
      }
    }
  }

  @Test(arguments: ["http://app.example.com/events", "\\u0000", "ftp://127.0.0.1/"])
  func `events go only to this machine`(url: String) async throws {
    try await withSimulator { client in
      let reply = try await client.put(
        "/simulator/clients",
        json: "{\"provider\":\"google\",\"client_id\":\"web\",\"notification_url\":\"\(url)\"}")
      #expect(reply.error == "invalid_request")
    }
  }

  @Test func `a receiver is set without the rest of the registration`() async throws {
    try await withSimulator { client in
      func set(_ members: String) async throws -> Reply {
        try await client.put("/simulator/notification-url", json: "{\(members)}")
      }
      _ = try await client.put(
        "/simulator/clients",
        json: "{\"provider\":\"google\",\"client_id\":\"web\",\"client_secret\":\"secret\"}")
      let url = "http://127.0.0.1:1/events"
      let reply = try await set(
        "\"provider\":\"google\",\"client_id\":\"web\",\"notification_url\":\"\(url)\"")
      #expect(reply.json.string("notification_url") == url)
      #expect(reply.json.bool("has_client_secret") == true)
      let ended = try await set("\"provider\":\"google\",\"client_id\":\"web\"")
      #expect(ended.json.isNull("notification_url"))
      #expect(
        try await set(
          "\"provider\":\"google\",\"client_id\":\"web\",\"notification_url\":\"http://a.b/\""
        ).error == "invalid_request")
      #expect(
        try await set(
          "\"provider\":\"github\",\"client_id\":\"web\",\"notification_url\":\"\(url)\""
        ).errorDescription == "GitHub notifies no servers.")
      let refused = try await client.put(
        "/simulator/clients",
        json: "{\"provider\":\"github\",\"client_id\":\"c\",\"notification_url\":\"\(url)\"}")
      #expect(
        refused.errorDescription == "Only clients of apple and google have a \"notification_url\".")
    }
  }

  @Test func `the apps of all persons are listed in the order of the consents`() async throws {
    try await withSimulator { client in
      _ = try await client.post(
        "/google/native-sign-in", json: "{\"client_id\":\"web\",\"person\":\"bob\"}")
      _ = try await client.appleSignIn()
      _ = try await signIn(client)
      func persons(_ query: String) async throws -> [String?] {
        try await client.get("/simulator/apps\(query)").json.objects("apps")
          .map { $0.string("person") }
      }
      #expect(try await persons("") == ["bob", "alice", "alice"])
      #expect(try await persons("?provider=google") == ["bob", "alice"])
      #expect(try await client.get("/simulator/apps?provider=x").error == "invalid_request")
    }
  }
}
