import HTTPTypes
import Testing

@Suite struct OverviewPageTests {
  private func page(_ client: SimulatorClient) async throws -> Reply {
    try await client.get("/", headers: [.accept: "text/html"])
  }

  @Test func `a browser shows the persons and the apps that they use`() async throws {
    try await withSimulator { client in
      _ = try await client.appleSignIn("\"email\":\"hide\"")
      let page = try await page(client)
      #expect(page.headers[.contentType] == "text/html; charset=utf-8")
      #expect(page.headers[.contentSecurityPolicy]?.contains("default-src 'none'") == true)
      for text in ["alice@example.com", "com.example.app", "hidden", "/apple/native-sign-in"] {
        #expect(page.text.contains(text))
      }
      #expect(!page.text.contains("<script"))
    }
  }

  @Test func `a click ends an app's use, and returns to the page`() async throws {
    try await withSimulator { client in
      _ = try await client.appleSignIn()
      let reply = try await client.post(
        "/simulator/page/stop-using",
        form: ["person": "alice", "provider": "apple", "client_id": "com.example.app"])
      #expect(reply.status == 303)
      #expect(reply.headers[.location] == "/")
      #expect(try await client.get("/simulator/persons/alice/apps").json.objects("apps").isEmpty)
    }
  }

  @Test func `a page of another site can't use the buttons`() async throws {
    try await withSimulator { client in
      let reply = try await client.post(
        "/simulator/page/delete", form: ["person": "alice"],
        headers: [.origin: "https://evil.example.com"])
      #expect(reply.error == "origin_not_allowed")
      #expect(try await client.get("/simulator/persons/alice").status == 200)
    }
  }

  @Test func `names of persons and apps are shown as text`() async throws {
    try await withSimulator { client in
      _ = try await client.post(
        "/simulator/persons", json: "{\"id\":\"eve\",\"givenName\":\"<b>Eve</b>\"}")
      _ = try await client.post(
        "/apple/native-sign-in",
        json: "{\"client_id\":\"\\\"><script>\",\"person\":\"eve\"}")
      let text = try await page(client).text
      #expect(text.contains("&lt;b&gt;Eve"))
      #expect(!text.contains("<script>"))
    }
  }

  @Test func `the other buttons work`() async throws {
    try await withSimulator { client in
      _ = try await client.appleSignIn("\"email\":\"hide\"")
      _ = try await client.put("/simulator/faults", json: "{\"apple\":{\"badSignature\":true}}")
      _ = try await client.post(
        "/simulator/page/relay",
        form: ["person": "alice", "client_id": "com.example.app", "forwards": "false"])
      #expect(try await page(client).text.contains("hidden, not forwarded"))
      _ = try await client.post("/simulator/page/end-faults", form: [:])
      #expect(try await client.get("/simulator/faults").json.object("apple") == nil)
      _ = try await client.post("/simulator/page/delete", form: ["person": "bob"])
      #expect(try await client.get("/simulator/persons/bob").status == 404)
      _ = try await client.post("/simulator/page/reset", form: [:])
      #expect(try await client.get("/simulator/persons/bob").status == 200)
    }
  }
}
