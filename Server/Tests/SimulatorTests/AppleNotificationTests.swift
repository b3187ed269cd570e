import Testing

@Suite struct AppleNotificationTests {
  private func register(_ url: String, _ client: SimulatorClient) async throws {
    let reply = try await client.put(
      "/simulator/clients",
      json: """
        {"provider":"apple","client_id":"com.example.app","notification_url":"\(url)"}
        """)
    try #require(reply.status == 200)
  }

  private func stopUsing(_ client: SimulatorClient) async throws -> Reply {
    try await client.post(
      "/simulator/persons/alice/withdraw-consent",
      json: "{\"provider\":\"apple\",\"client_id\":\"com.example.app\"}")
  }

  @Test func `a withdrawn consent is notified to the server, signed by Apple`() async throws {
    try await withReceiver { receiver in
      try await withSimulator { client in
        try await register(receiver.url, client)
        let user = try await client.appleSignIn().string("user")
        let reply = try await stopUsing(client)
        #expect(reply.json.objects("notifications").first?.bool("delivered") == true)
        let token = try IDToken(receiver.payloads.first)
        #expect(try token.isSigned(by: try await client.get("/apple/auth/keys")))
        #expect(token.claims.string("iss") == "https://appleid.apple.com")
        #expect(token.claims.string("aud") == "com.example.app")
        #expect(token.claims.string("jti")?.isEmpty == false)
        let event = JSONText(try #require(token.claims.string("events")))
        #expect(event.string("type") == "consent-revoked")
        #expect(event.string("sub") == user)
        #expect(event.integer("event_time") == 1_750_000_000_000)
      }
    }
  }

  @Test func `a revocation by the app's own server is reported to it`() async throws {
    try await withReceiver { receiver in
      try await withSimulator { client in
        try await register(receiver.url, client)
        let code = try await client.appleSignIn().string("authorizationCode")
        let refreshToken = try await client.appleExchange(code).json.string("refresh_token")
        let reply = try await client.post(
          "/apple/auth/revoke",
          form: [
            "client_id": "com.example.app", "client_secret": AppleSecret.good(),
            "token": refreshToken ?? "",
          ])
        #expect(reply.status == 200)
        let token = try IDToken(receiver.payloads.first)
        let event = JSONText(try #require(token.claims.string("events")))
        #expect(event.string("type") == "consent-revoked")
      }
    }
  }

  @Test func `a deleted person is notified to every app`() async throws {
    try await withSimulator { client in
      _ = try await client.appleSignIn()
      _ = try await client.post(
        "/apple/native-sign-in", json: "{\"client_id\":\"com.example.two\"}")
      _ = try await client.post("/google/native-sign-in", json: "{\"client_id\":\"web\"}")
      let reply = try await client.send(.delete, "/simulator/persons/alice")
      let told = reply.json.objects("notifications")
      #expect(told.map { $0.string("client_id") } == ["com.example.app", "com.example.two"])
      #expect(told.map { $0.string("type") } == ["account-deleted", "account-deleted"])
    }
  }

  @Test func `a notification that was not answered with 200 is sent again`() async throws {
    try await withReceiver { receiver in
      try await withSimulator { client in
        try await register(receiver.url, client)
        _ = try await client.appleSignIn()
        receiver.answer(with: 503)
        let failed = try await stopUsing(client).json.objects("notifications").first
        #expect(failed?.bool("delivered") == false)
        #expect(failed?.integer("status") == 503)
        #expect(failed?.string("answer") == "{\"answer\":503}")
        receiver.answer(with: 200)
        let again = try await client.post("/simulator/apple/notifications/redeliver", json: "{}")
        #expect(again.json.objects("notifications").first?.integer("attempts") == 2)
        #expect(again.json.objects("notifications").first?.bool("delivered") == true)
        #expect(receiver.payloads.count == 2)
        #expect(receiver.payloads.first == receiver.payloads.last)
        let none = try await client.post("/simulator/apple/notifications/redeliver", json: "{}")
        #expect(none.json.objects("notifications").isEmpty)
      }
    }
  }

  @Test func `an unreachable server is recorded, and nothing else fails`() async throws {
    try await withSimulator { client in
      try await register("http://127.0.0.1:1/notifications", client)
      _ = try await client.appleSignIn()
      let reply = try await stopUsing(client)
      #expect(reply.status == 200)
      #expect(reply.json.objects("notifications").first?.isNull("status") == true)
      #expect(reply.json.objects("notifications").first?.integer("attempts") == 1)
    }
  }

  @Test func `turning the forwarding off and on is notified with the relay address`() async throws {
    try await withSimulator { client in
      let email = try await client.appleSignIn("\"email\":\"hide\"").string("email")
      func forward(_ forwards: Bool) async throws -> [JSONText] {
        try await client.put(
          "/simulator/persons/alice/apple-relay",
          json: "{\"client_id\":\"com.example.app\",\"forwards\":\(forwards)}"
        ).json.objects("notifications")
      }
      #expect(try await forward(true).isEmpty)
      #expect(try await forward(false).first?.string("type") == "email-disabled")
      #expect(try await forward(true).first?.string("type") == "email-enabled")
      let last = try await client.get("/simulator/apple/notifications").json
        .objects("notifications").last
      let token = try IDToken(last?.string("payload"))
      let event = JSONText(try #require(token.claims.string("events")))
      #expect(event.string("email") == email)
      #expect(event.string("is_private_email") == "true")
    }
  }

  @Test func `an app with the person's own address has no relay to turn off`() async throws {
    try await withSimulator { client in
      _ = try await client.appleSignIn("\"email\":\"share\"")
      let reply = try await client.put(
        "/simulator/persons/alice/apple-relay",
        json: "{\"client_id\":\"com.example.app\",\"forwards\":false}")
      #expect(reply.error == "invalid_request")
    }
  }

  @Test func `any event can be sent, with faults`() async throws {
    try await withSimulator { client in
      let reply = try await client.post(
        "/simulator/apple/notifications",
        json: """
          {"client_id":"com.example.app","person":"bob","type":"account-delete",
           "faults":{"setClaims":{"aud":"another.app"}}}
          """)
      #expect(reply.status == 200)
      let notification = try await client.get("/simulator/apple/notifications").json
        .objects("notifications").first
      let token = try IDToken(notification?.string("payload"))
      #expect(token.claims.string("aud") == "another.app")
    }
  }

  @Test(arguments: [
    "http://app.example.com/notifications", "http://user@127.0.0.1/",
    "http://127.0.0.1%2eexample.com/",
    "ftp://127.0.0.1/", "http://127.0.0.1.example.com/",
  ])
  func `notifications go only to this machine`(url: String) async throws {
    try await withSimulator { client in
      let reply = try await client.put(
        "/simulator/clients",
        json: """
          {"provider":"apple","client_id":"com.example.app","notification_url":"\(url)"}
          """)
      #expect(reply.error == "invalid_request")
    }
  }

  @Test func `notifications go to an allowed host`() async throws {
    try await withSimulator {
      $0.allowedHosts = ["app.example.com"]
    } _: { client in
      let reply = try await client.put(
        "/simulator/clients",
        json: """
          {"provider":"apple","client_id":"com.example.app",
           "notification_url":"http://app.example.com:8080/notifications"}
          """)
      #expect(reply.json.string("notification_url") == "http://app.example.com:8080/notifications")
    }
  }
}
