import Foundation
import GatehouseProtocol
import HTTPTypes
import Testing

/// The handler with valid requests.
@Suite struct SignInHandlerTests {
  @Test func `the browser goes to the provider with everything that binds the answer`() async throws
  {
    try await TestServer.with { server in
      let reply = try await BrowserFlow.start(server, "oidc.trusted", ["scopes": "email,groups"])
      let location = try #require(reply.headers[.location])
      #expect(reply.status == 303)
      #expect(location.hasPrefix("\(FakeProviders.issuer)/authorize?"))
      let asked = BrowserFlow.parameters(location)
      #expect(asked["response_type"] == "code")
      #expect(asked["client_id"] == "oidc-client")
      #expect(asked["redirect_uri"] == "https://localhost/__/auth/handler/demo/oidc.trusted")
      #expect(asked["scope"] == "openid email profile groups")
      #expect(asked["nonce"]?.wholeMatch(of: /[0-9a-f]{64}/) != nil)
      #expect(asked["code_challenge"]?.wholeMatch(of: /[A-Za-z0-9_-]{43}/) != nil)
      #expect(asked["code_challenge_method"] == "S256")
      #expect(asked["state"]?.hasPrefix("ghs_") == true)
      #expect((asked["state"]?.utf8.count ?? 0) < 1024)
      #expect(asked["response_mode"] == nil)
      #expect(reply.headers[.cacheControl] == "no-store")
      #expect(reply.headers[.referrer] == "no-referrer")
    }
  }

  /// A browser passes on the fragment of the handler's URL unless the redirect has a fragment.
  @Test(arguments: ["oidc.trusted", "apple.com", "facebook.com"])
  func `the redirect to the provider has an empty fragment`(_ provider: String) async throws {
    try await TestServer.with { server in
      let location = try #require(
        try await BrowserFlow.start(server, provider).headers[.location])
      #expect(location.hasSuffix("#"))
      #expect(location.filter { $0 == "#" }.count == 1)
    }
  }

  @Test func `the cookie is for this host and this sign-in, and hidden from scripts`() async throws
  {
    try await TestServer.with { server in
      let first = try await BrowserFlow.start(server, "oidc.trusted")
      let second = try await BrowserFlow.start(server, "oidc.trusted")
      let cookie = try #require(first.headers[.setCookie])
      #expect(
        cookie.wholeMatch(
          of:
            /__Host-gatehouse-signin-[0-9a-f]{16}=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=600/
        ) != nil)
      let name = { (text: String?) in text?.prefix { $0 != "=" } }
      #expect(name(cookie) != name(second.headers[.setCookie]))
    }
  }

  @Test func `the browser returns with a code, and the app redeems it`() async throws {
    try await TestServer.with { server in
      let flow = try await BrowserFlow(server, "oidc.trusted")
      server.providers.issue(
        code: "c", idToken: try flow.token("oidc.trusted", ["name": "Ada"]))
      let arrived = try await flow.arrive("state=\(flow.state)&code=c")
      #expect(arrived.status == 303)
      #expect(
        arrived.headers[.location]?.hasPrefix("com.example.app://firebaseauth/link?deep_link_id=")
          == true)
      #expect(arrived.deepLink["authType"] == "signInWithRedirect")
      #expect(arrived.deepLink["eventId"] == "event-1")
      #expect(arrived.headers[.setCookie]?.hasSuffix("Max-Age=0") == true)
      let signedIn = try await flow.redeem(
        arrived.link, ["postBody": "providerId=oidc.trusted"])
      #expect(signedIn.status == 200)
      #expect(signedIn["displayName"] == "Ada")
      #expect(signedIn["oauthAccessToken"] == "apple-access")
      let exchange = try #require(
        server.providers.requests.first { $0.url == "\(FakeProviders.issuer)/token" })
      #expect(
        exchange.form["redirect_uri"] == "https://localhost/__/auth/handler/demo/oidc.trusted")
      #expect(exchange.form["code_verifier"]?.utf8.count == 43)
    }
  }

  @Test func `the app's link reveals nothing of the provider's answer`() async throws {
    try await TestServer.with { server in
      let flow = try await BrowserFlow(server, "oidc.trusted")
      let arrived = try await flow.arrive("state=\(flow.state)&code=the-very-code")
      let link = try #require(arrived.link)
      #expect(!link.contains("the-very-code"))
      #expect(link.hasPrefix("https://localhost/__/auth/handler?answer=ghr_"))
    }
  }

  @Test func `Apple posts a form with the name, which comes once`() async throws {
    try await TestServer.with { server in
      let flow = try await BrowserFlow(server, "apple.com")
      #expect(flow.asked["response_mode"] == "form_post")
      #expect(flow.asked["scope"] == "name email")
      #expect(flow.asked["response_type"] == "code id_token")
      #expect(flow.asked["client_id"] == "com.example.web")
      #expect(flow.asked["code_challenge"] == nil)
      server.providers.issue(
        code: "c", idToken: try flow.token("apple.web", ["email": "a@example.com"]))
      let user = #"{"name":{"firstName":"Zoë & Co","lastName":"<b>"},"email":"x@example.com"}"#
      let arrived = try await flow.post(
        "state=\(flow.state)&code=c&user=\(BrowserFlow.escape(user))")
      let signedIn = try await flow.redeem(arrived.link)
      #expect(signedIn["displayName"] == "Zoë & Co <b>")
      #expect(signedIn["email"] == "a@example.com")
    }
  }

  @Test func `Apple without scopes answers by query`() async throws {
    try await TestServer.with { server in
      let flow = try await BrowserFlow(server, "apple.com", ["scopes": "name"])
      #expect(flow.asked["scope"] == "name")
      #expect(flow.asked["response_mode"] == "form_post")
    }
  }

  @Test func `Facebook's code becomes an access token that Facebook is asked about`() async throws {
    try await TestServer.with { server in
      let flow = try await BrowserFlow(server, "facebook.com", ["scopes": "user_link"])
      #expect(flow.asked["scope"] == "public_profile,email,user_link")
      #expect(flow.asked["nonce"] == nil)
      let arrived = try await flow.arrive("state=\(flow.state)&code=good")
      let signedIn = try await flow.redeem(arrived.link)
      #expect(signedIn["displayName"] == "Ada L")
      #expect(signedIn["oauthAccessToken"] == "good")
    }
  }

  @Test func `a provider without a secret answers with an ID token in the fragment`() async throws {
    try await TestServer.with { server in
      let flow = try await BrowserFlow(server, "oidc.plain")
      #expect(flow.asked["response_type"] == "id_token")
      #expect(flow.asked["code_challenge"] == nil)
      // The browser keeps the fragment; the page's script repeats it.
      let page = try await flow.arrive("")
      #expect(page.status == 200)
      #expect(page.text.contains(#"<script src="/__/auth/handler.js" defer></script>"#))
      let token = try flow.token("oidc.plain")
      let arrived = try await flow.arrive("state=\(flow.state)&id_token=\(token)")
      let signedIn = try await flow.redeem(arrived.link)
      #expect(signedIn.status == 200)
      #expect(signedIn["oauthIdToken"]?.string == token)
    }
  }

  @Test func `a code comes in the response mode that the operator chose`() async throws {
    try await TestServer.with { server in
      let path = "v2/projects/demo/oauthIdpConfigs/oidc.trusted"
      let set = { (mode: String) async throws -> TestReply in
        try await server.call(
          TestRequest.admin(.patch, path, ["responseMode": .string(mode)]).with {
            $0.query = "updateMask=responseMode"
          })
      }
      #expect(try await set("fragment").status == 200)
      let flow = try await BrowserFlow(server, "oidc.trusted")
      #expect(flow.asked["response_type"] == "code")
      #expect(flow.asked["response_mode"] == "fragment")
      let page = try await flow.arrive("")
      #expect(page.text.contains(#"<script src="/__/auth/handler.js" defer></script>"#))
      server.providers.issue(code: "c", idToken: try flow.token("oidc.trusted"))
      let arrived = try await flow.arrive("state=\(flow.state)&code=c")
      #expect(try await flow.redeem(arrived.link).status == 200)

      #expect(try await set("form_post").status == 200)
      let refused = try await BrowserFlow.start(server, "oidc.trusted")
      #expect(refused.appError == "auth/operation-not-allowed")
      #expect(refused.deepLink["firebaseError"]?.contains("response_modes_supported") == true)
    }
  }

  @Test func `two tabs of one browser don't interfere`() async throws {
    try await TestServer.with { server in
      var first = try await BrowserFlow(server, "oidc.trusted")
      var second = try await BrowserFlow(server, "oidc.trusted")
      first.cookies += second.cookies
      second.cookies = first.cookies
      #expect(try await second.arrive("state=\(second.state)&code=2").link != nil)
      #expect(try await first.arrive("state=\(first.state)&code=1").link != nil)
    }
  }

  @Test(
    arguments: [
      (["clientId": "google-client"], "google-client"),
      (["clientId": "1-a.apps.example.com"], "com.example.apps.1-a"),
      (["appId": "1:12345:ios:abc123"], "app-1-12345-ios-abc123"),
      ([:], "com.example.app"),
    ] as [([String: String], String)])
  func `an app is called back with its own scheme`(_ fields: [String: String], _ scheme: String)
    async throws
  {
    try await TestServer.with { server in
      let more = fields.map { "&\($0)=\($1)" }.joined()
      let reply = try await BrowserFlow.get(
        server, BrowserFlow.query("oidc.none") + more)
      // A scheme without a dot isn't accepted as an app's own.
      guard scheme.contains(".") || scheme.hasPrefix("app-") else {
        #expect(reply.status == 400)
        return
      }
      #expect(reply.headers[.location]?.hasPrefix("\(scheme)://firebaseauth/link?") == true)
    }
  }

  @Test(arguments: [
    "http://127.0.0.1:4321/", "http://127.0.0.1:4321/cb?n=1", "http://[::1]:4321/cb",
    "http://localhost:4321/cb", "https://localhost/cb",
  ])
  func `an app that listens on loopback is answered there`(_ url: String) async throws {
    try await TestServer.with { server in
      let reply = try await BrowserFlow.start(
        server, "oidc.none", ["redirectUrl": url, "ibi": nil])
      let separator = url.contains("?") ? "&" : "?"
      #expect(reply.headers[.location]?.hasPrefix("\(url)\(separator)deep_link_id=") == true)
    }
  }

  @Test(arguments: [
    ("access_denied", "auth/web-context-cancelled"),
    ("user_cancelled_authorize", "auth/web-context-cancelled"),
    ("unauthorized_client", "auth/invalid-oauth-client-id"),
    ("temporarily_unavailable", "auth/network-request-failed"),
    ("invalid_scope", "auth/internal-error"),
    ("<script>", "auth/internal-error"),
  ])
  func `a provider's error becomes a code that the app knows`(
    _ error: String, _ code: String
  ) async throws {
    try await TestServer.with { server in
      let flow = try await BrowserFlow(server, "oidc.trusted")
      let reply = try await flow.arrive(
        "state=\(flow.state)&error=\(BrowserFlow.escape(error))&error_description=x")
      #expect(reply.appError == code)
      #expect(reply.deepLink["firebaseError"]?.contains("<") == false)
      #expect(reply.link == nil)
    }
  }

  @Test(arguments: [
    ("oidc.none", "auth/operation-not-allowed"), ("password", "auth/operation-not-allowed"),
  ])
  func `an error at the start is reported to the app`(_ provider: String, _ code: String)
    async throws
  {
    try await TestServer.with { server in
      let reply = try await BrowserFlow.start(server, provider)
      #expect(reply.appError == code)
    }
  }

  @Test func `an answer link that a browser opens sends the user back to the app`() async throws {
    try await TestServer.with { server in
      let page = try await BrowserFlow.get(
        server, "authType=signInWithRedirect&link=x&hl=de-AT", path: "/__/auth/callback")
      #expect(page.status == 200)
      #expect(page.heading == "Zurück zur App")
    }
  }

  @Test(arguments: ["en", "de", "vi"])
  func `pages are in the user's language and load nothing`(_ language: String) async throws {
    try await TestServer.with { server in
      var request = TestRequest("/__/auth/handler")
      request.method = .get
      request.query = "state=x"
      request.headers[.acceptLanguage] = "xx, \(language)-XX;q=0.8, en;q=0.5"
      let page = try await server.call(request)
      #expect(page.status == 400)
      #expect(page.text.contains("<html lang=\"\(language)\">"))
      #expect(!page.text.contains("<script"))
      #expect(page.headers[.contentType] == "text/html; charset=utf-8")
      #expect(page.headers[.cacheControl] == "no-store")
      #expect(page.headers[.referrer] == "no-referrer")
      #expect(page.headers[.testFrameOptions] == "DENY")
      let policy = page.headers[.contentSecurityPolicy] ?? ""
      #expect(policy.hasPrefix("default-src 'none'; style-src 'sha256-"))
      #expect(policy.hasSuffix("base-uri 'none'; form-action 'none'; frame-ancestors 'none'"))
      #expect(page.headers[.accessControlAllowOrigin] == nil)
    }
  }
}

extension HTTPField.Name {
  static let referrer = HTTPField.Name("referrer-policy") ?? .age
}
