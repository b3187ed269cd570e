import GatehouseProtocol
import HTTPTypes
import Testing

/// The emulator's control endpoints other than the one for accounts.
@Suite struct EmulatorConfigTests {
  private func request(
    _ method: HTTPRequest.Method, _ name: String, _ body: JSONValue? = nil
  ) -> TestRequest {
    TestRequest("/emulator/v1/projects/demo/\(name)", body).with {
      $0.method = method
      $0.key = nil
    }
  }

  @Test func `the two settings can be read and changed without a credential`() async throws {
    try await TestServer.with { server in
      let before = try await server.call(request(.get, "config"))
      #expect(
        before.json == [
          "signIn": ["allowDuplicateEmails": false],
          "emailPrivacyConfig": ["enableImprovedEmailPrivacy": false],
        ])
      let changed = try await server.call(
        request(
          .patch, "config", ["emailPrivacyConfig": ["enableImprovedEmailPrivacy": true]]))
      #expect(changed["emailPrivacyConfig"]?["enableImprovedEmailPrivacy"] == true)
      #expect(changed["signIn"]?["allowDuplicateEmails"] == false)
      #expect(try await server.call(request(.get, "config")).json == changed.json)
      let refused = try await server.call(
        .accounts("signInWithPassword", ["email": "nobody@example.com", "password": "secret"]))
      #expect(refused.error == "INVALID_LOGIN_CREDENTIALS")
    }
  }

  @Test func `no other setting can be changed there`() async throws {
    try await TestServer.with { server in
      let body: JSONValue = [
        "signIn": ["anonymous": ["enabled": false], "allowDuplicateEmails": true],
        "authorizedDomains": ["evil.example.com"],
      ]
      #expect(try await server.call(request(.patch, "config", body)).status == 200)
      let config = try await server.call(
        TestRequest.admin(.get, "v2/projects/demo/config").with { _ in })
      #expect(config["signIn"]?["allowDuplicateEmails"] == true)
      #expect(config["signIn"]?["anonymous"]?["enabled"] == true)
      #expect(config["authorizedDomains"] == ["localhost"])
    }
  }

  @Test func `there are no verification codes`() async throws {
    try await TestServer.with { server in
      let reply = try await server.call(request(.get, "verificationCodes"))
      #expect(reply.json == ["verificationCodes": []])
    }
  }

  @Test(arguments: ["config", "verificationCodes"])
  func `a page of another origin is refused`(name: String) async throws {
    try await TestServer.with { server in
      let own = request(.get, name).with { $0.headers[.origin] = "http://localhost:5000" }
      #expect(try await server.call(own).status == 200)
      let other = request(.get, name).with { $0.headers[.origin] = "https://evil.example.com" }
      let refused = try await server.call(other)
      #expect(refused.status == 403)
      #expect(refused.headers[.accessControlAllowOrigin] == nil)
    }
  }

  @Test(arguments: ["config", "verificationCodes"])
  func `production has none of these endpoints`(name: String) async throws {
    try await TestServer.with(.production) { server in
      let reply = try await server.call(request(.get, name))
      #expect(reply.status == 404)
    }
  }
}
