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

  @Test func `a form creates a person`() async throws {
    try await withSimulator { client in
      let created = try await client.post(
        "/simulator/page/create",
        form: ["given_name": "<b>\"Zoë'", "email": "zoe+1@example.com", "hides_email": "yes"])
      #expect(created.status == 303)
      #expect(created.headers[.location] == "/#persons")
      let person = try await client.get("/simulator/persons/zoe1").json
      #expect(person.string("givenName") == "<b>\"Zoë'")
      #expect(person.isNull("familyName"))
      #expect(person.bool("emailVerified") == false)
      #expect(person.bool("hidesEmail") == true)
      let page = try await page(client).text
      for text in ["&lt;b&gt;&quot;Zoë&#39;", "not verified", "hidden from apps"] {
        #expect(page.contains(text))
      }
      #expect(!page.contains("<b>"))
    }
  }

  @Test func `a person who hides the email does so where the sign-in doesn't say`() async throws {
    try await withSimulator { client in
      _ = try await client.post(
        "/simulator/persons", json: "{\"id\":\"zoe\",\"hidesEmail\":true}")
      for (app, choice, isHidden) in [
        ("one", "", true), ("two", ",\"email\":\"share\"", false),
        ("three", ",\"email\":\"hide\"", true),
      ] {
        let reply = try await client.post(
          "/apple/native-sign-in",
          json: "{\"client_id\":\"\(app)\",\"person\":\"zoe\"\(choice)}")
        let email = reply.json.string("email") ?? ""
        #expect(email.hasSuffix("@privaterelay.appleid.com") == isHidden)
      }
    }
  }

  @Test func `a browser is told why a form is rejected`() async throws {
    try await withSimulator { client in
      let form: KeyValuePairs = ["email": "<i>nobody"]
      let page = try await client.post(
        "/simulator/page/create", form: form, headers: [.accept: "text/html"])
      #expect(page.status == 400)
      #expect(page.headers[.contentType] == "text/html; charset=utf-8")
      #expect(page.text.contains("must be an address"))
      #expect(page.text.contains("href=\"/#persons\""))
      let reply = try await client.post("/simulator/page/create", form: form)
      #expect(reply.status == 400)
      #expect(reply.error == "invalid_request")
      let unknown = try await client.post(
        "/simulator/page/faults", form: ["json": "{\"<script>\":1}"],
        headers: [.accept: "text/html"])
      #expect(unknown.text.contains("Unknown member &quot;&lt;script&gt;&quot;"))
    }
  }

  @Test func `forms turn faults of a provider on and off`() async throws {
    try await withSimulator { client in
      for fault in [
        "badSignature true", "setClaims {\"aud\":\"another-app\"}",
        "setClaims {\"nonce\":\"another-nonce\"}",
      ] {
        let reply = try await client.post(
          "/simulator/page/fault", form: ["provider": "apple", "fault": fault])
        #expect(reply.status == 303)
        #expect(reply.headers[.location] == "/#faults")
      }
      var apple = try await client.get("/simulator/faults").json.object("apple")
      #expect(apple?.bool("badSignature") == true)
      #expect(apple?.object("setClaims")?.string("aud") == "another-app")
      #expect(apple?.object("setClaims")?.string("nonce") == "another-nonce")
      #expect(try await page(client).text.contains("<code>badSignature</code> <code>true</code>"))

      let end: KeyValuePairs = ["provider": "apple", "member": "setClaims"]
      _ = try await client.post("/simulator/page/end-fault", form: end)
      apple = try await client.get("/simulator/faults").json.object("apple")
      #expect(apple?.names == ["badSignature"])
      _ = try await client.post(
        "/simulator/page/end-fault", form: ["provider": "apple", "member": "badSignature"])
      #expect(try await client.get("/simulator/faults").json.object("apple") == nil)
      let unknown = try await client.post(
        "/simulator/page/fault", form: ["provider": "apple", "fault": "issuer"])
      #expect(unknown.error == "invalid_request")
    }
  }

  @Test func `every fault that the page offers can be turned on`() async throws {
    try await withSimulator { client in
      let options = try await page(client).text
        .matches(of: /<option value="([^"]*)">/).map { String($0.1) }
      let faults = options.filter { $0.contains(" ") }
        .map { $0.replacing("&quot;", with: "\"") }
      #expect(faults.count == 12)
      for fault in faults {
        let reply = try await client.post(
          "/simulator/page/fault", form: ["provider": "oidc", "fault": fault])
        #expect(reply.status == 303, "\(fault)")
      }
      let paths = options.filter { $0.hasPrefix("/") }
      #expect(paths.contains("/apple/auth/keys"))
      for path in paths {
        let reply = try await client.post(
          "/simulator/page/endpoint-fault", form: ["path": path, "effect": "limited"])
        #expect(reply.status == 303, "\(path)")
        #expect(try await client.get(path).status == 429, "\(path)")
      }
    }
  }

  @Test func `forms turn faults of an endpoint on and off`() async throws {
    try await withSimulator { client in
      let keys = "/apple/auth/keys"
      _ = try await client.post(
        "/simulator/page/endpoint-fault",
        form: ["path": keys, "effect": "unavailable", "once": "yes"])
      #expect(try await client.get(keys).status == 503)
      #expect(try await client.get(keys).status == 200)
      for effect in ["unavailable", "noJSON"] {
        _ = try await client.post(
          "/simulator/page/endpoint-fault", form: ["path": keys, "effect": effect])
      }
      #expect(try await client.get(keys).text == "Not JSON.")
      _ = try await client.post("/simulator/page/end-endpoint-fault", form: ["path": keys])
      #expect(try await client.get(keys).status == 200)
      let other = try await client.post(
        "/simulator/page/endpoint-fault", form: ["path": "/simulator/reset", "effect": "slow"])
      #expect(other.error == "invalid_request")
    }
  }

  @Test func `a form replaces all faults with those in its JSON`() async throws {
    try await withSimulator { client in
      _ = try await client.put("/simulator/faults", json: "{\"apple\":{\"badSignature\":true}}")
      _ = try await client.post(
        "/simulator/page/faults", form: ["json": "{\r\n\"google\":{\"expiredTokens\":true}}"])
      let faults = try await client.get("/simulator/faults").json
      #expect(faults.object("apple") == nil)
      #expect(faults.object("google")?.bool("expiredTokens") == true)
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
      _ = try await client.get("/apple/auth/keys")
      _ = try await client.post("/simulator/page/clear-requests", form: [:])
      #expect(try await client.get("/simulator/requests").json.object("counts")?.names == [])
      _ = try await client.post("/simulator/page/delete", form: ["person": "bob"])
      #expect(try await client.get("/simulator/persons/bob").status == 404)
      _ = try await client.post("/simulator/page/reset", form: [:])
      #expect(try await client.get("/simulator/persons/bob").status == 200)
    }
  }
}
