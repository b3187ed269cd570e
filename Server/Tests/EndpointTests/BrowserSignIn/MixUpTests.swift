import GatehouseProtocol
import Testing

/// One provider's answer with another provider's state (RFC 9700 §4.4): the URL at which it arrives
/// shows the mix-up, the answer is refused, and its code is sent nowhere.
@Suite struct MixUpTests {
  private static let refusal = "The answer arrived at another address"

  /// Runs `body` with a malicious provider that an administrator has configured next to an honest
  /// one.
  private func withEvilProvider(_ body: (TestServer) async throws -> Void) async throws {
    try await TestServer.with { server in
      var request = TestRequest.admin(
        .post, "v2/projects/demo/oauthIdpConfigs",
        [
          "issuer": .string(FakeProviders.evilIssuer), "clientId": "evil-client", "enabled": true,
          "clientSecret": "an-evil-secret", "responseType": ["code": true],
        ])
      request.query = "oauthIdpConfigId=oidc.evil"
      #expect(try await server.call(request.with { _ in }).status == 200)
      try await body(server)
    }
  }

  private func exchanges(_ server: TestServer) -> [String] {
    server.providers.requests.map(\.url).filter { $0.hasSuffix("/token") }
  }

  @Test func `an honest provider's code never reaches a malicious one`() async throws {
    try await withEvilProvider { server in
      let victim = try await BrowserFlow(server, "oidc.evil")
      // Its authorization endpoint redirects the browser to the honest provider, with the client id
      // and redirect URI of the honest one and its own state. The honest provider sends no `iss`.
      let page = try await victim.arrive(
        "state=\(victim.state)&code=honest", at: "/__/auth/handler/demo/oidc.trusted")
      #expect(page.status == 400)
      #expect(page.heading == "This link doesn’t work")
      #expect(page.text.contains(Self.refusal))
      #expect(page.headers[.location] == nil)
      #expect(page.headers[.setCookie] == nil)
      #expect(exchanges(server).isEmpty)
    }
  }

  @Test func `a form at the wrong URL isn't redirected`() async throws {
    try await withEvilProvider { server in
      let victim = try await BrowserFlow(server, "oidc.evil")
      let page = try await victim.post(
        "state=\(victim.state)&code=honest", at: "/__/auth/handler/demo/oidc.trusted")
      #expect(page.text.contains(Self.refusal))
      #expect(page.headers[.location] == nil)
      #expect(exchanges(server).isEmpty)
    }
  }

  @Test func `a form is redirected to the URL at which it arrived`() async throws {
    try await withEvilProvider { server in
      let flow = try await BrowserFlow(server, "oidc.trusted")
      var request = TestRequest(flow.path)
      request.key = nil
      request.body = "state=\(flow.state)&code=c"
      let hop = try await server.call(request).headers[.location] ?? ""
      #expect(hop.hasPrefix("https://localhost/__/auth/handler/demo/oidc.trusted?posted=ghp_"))
      let query = String(hop.drop { $0 != "?" }.dropFirst())
      let elsewhere = try await flow.arrive(query, at: "/__/auth/handler/demo/oidc.evil")
      #expect(elsewhere.text.contains(Self.refusal))
      #expect(try await flow.arrive(query).link != nil)
    }
  }

  @Test(arguments: [
    // Google's and Apple's codes arrive at the shared URL.
    ("oidc.evil", "/__/auth/handler"), ("oidc.evil", "/emulator/auth/handler"),
    ("oidc.evil", "/__/auth/callback"),
    // The reverse.
    ("google.com", "/__/auth/handler/demo/oidc.evil"),
    ("google.com", "/__/auth/handler/demo/google.com"),
    // A provider with the same name in another project.
    ("oidc.evil", "/__/auth/handler/shop/oidc.evil"),
    // Different bytes.
    ("oidc.evil", "/__/auth/handler/demo/oidc.Evil"),
    ("oidc.evil", "/__/auth/handler/demo/oidc%2Eevil"),
    ("oidc.evil", "/__/auth/handler/demo/oidc.evil."),
  ])
  func `an answer at another URL than its provider's is refused and uses nothing up`(
    _ provider: String, _ path: String
  ) async throws {
    try await withEvilProvider { server in
      let flow = try await BrowserFlow(server, provider)
      let page = try await flow.arrive("state=\(flow.state)&code=c", at: path)
      #expect(page.status == 400)
      #expect(page.text.contains(Self.refusal))
      let good = try await flow.arrive("state=\(flow.state)&code=c")
      #expect(good.link != nil)
    }
  }

  @Test func `a sign-in begins only at the shared URL`() async throws {
    try await withEvilProvider { server in
      let page = try await BrowserFlow.get(
        server, BrowserFlow.query("oidc.evil"), path: "/__/auth/handler/demo/oidc.evil")
      #expect(page.status == 200)
      #expect(page.headers[.location] == nil)
      #expect(page.headers[.setCookie] == nil)
    }
  }
}
