import Foundation
import GatehouseProtocol
import HTTPTypes
import Testing

/// The handler for web pages that use Google's SDK for JavaScript.
@Suite struct PageSignInTests {
  @Test(arguments: PageFlow.popups + PageFlow.redirects)
  func `the browser goes to the provider as it does for an app`(_ mode: String) async throws {
    try await TestServer.with { server in
      let reply = try await PageFlow.start(server, mode)
      let asked = BrowserFlow.parameters(try #require(reply.headers[.location]))
      #expect(reply.status == 303)
      #expect(asked["redirect_uri"] == "https://localhost/__/auth/handler/demo/oidc.trusted")
      #expect(asked["nonce"]?.wholeMatch(of: /[0-9a-f]{64}/) != nil)
      #expect(asked["code_challenge_method"] == "S256")
      #expect(reply.headers[.setCookie]?.hasPrefix("__Host-gatehouse-signin-") == true)
      #expect(reply.headers[.cacheControl] == "no-store")
    }
  }

  @Test(arguments: PageFlow.popups)
  func `a popup reports to the page that opened it`(_ mode: String) async throws {
    try await TestServer.with { server in
      let (_, page) = try await PageFlow.arrive(server, mode)
      #expect(page.status == 200)
      #expect(
        page.scripts == [
          #"<script src="/__/auth/popup.js" defer>"#,
          #"<script type="application/json" id="data">"#,
        ])
      let delivery = try #require(page.delivery)
      #expect(delivery["apiKey"] == "any-key")
      #expect(delivery["appName"] == "[DEFAULT]")
      #expect(delivery["origin"]?.string == PageFlow.origin)
      #expect(delivery["returnUrl"] == .null)
      let event = try #require(page.event)
      #expect(event["type"]?.string == mode)
      #expect(event["eventId"] == "4087654321")
      #expect(
        event["urlResponse"]?.string?.hasPrefix("https://localhost/__/auth/handler?answer=ghr_")
          == true)
      #expect(event["sessionId"]?.string?.utf8.count == 43)
      for name in ["postBody", "tenantId", "error"] { #expect(event[name] == .null) }
      #expect(page.headers[.setCookie]?.hasSuffix("Max-Age=0") == true)
      #expect(page.headers[.location] == nil)
    }
  }

  @Test(arguments: PageFlow.redirects)
  func `a redirected browser returns to the page that it left`(_ mode: String) async throws {
    try await TestServer.with { server in
      let (_, page) = try await PageFlow.arrive(server, mode, [:], ["eventId": nil])
      #expect(page.scripts.first == #"<script src="/__/auth/redirect.js" defer>"#)
      #expect(page.delivery?["returnUrl"]?.string == PageFlow.address)
      #expect(page.event?["type"]?.string == mode)
      #expect(page.event?["eventId"] == .null)
    }
  }

  @Test func `the page signs in with the event, once`() async throws {
    try await TestServer.with { server in
      let (_, page) = try await PageFlow.arrive(server, "signInViaPopup", ["name": "Ada"])
      // The SDK omits postBody and tenantId if the event has null.
      let signedIn = try await PageFlow.redeem(server, page.event)
      #expect(signedIn.status == 200)
      #expect(signedIn["displayName"] == "Ada")
      #expect(signedIn["providerId"] == "oidc.trusted")
      #expect(signedIn["isNewUser"] == true)
      #expect(signedIn["oauthIdToken"]?.string != nil)
      #expect(signedIn["oauthAccessToken"]?.string != nil)
      let again = try await PageFlow.redeem(server, page.event)
      #expect(
        again.error
          == "INVALID_IDP_RESPONSE : The provider's answer was used before. Begin the sign-in again."
      )
    }
  }

  @Test func `a page links, and the account keeps its id`() async throws {
    try await TestServer.with { server in
      let account = try await server.call(.accounts("signUp", ["returnSecureToken": true]))
      let (_, page) = try await PageFlow.arrive(server, "linkViaRedirect")
      let linked = try await PageFlow.redeem(
        server, page.event, ["idToken": account["idToken"] ?? .null])
      #expect(linked.status == 200)
      #expect(linked["localId"] == account["localId"])
    }
  }

  @Test func `re-authentication creates no account for an unknown identity`() async throws {
    try await TestServer.with { server in
      let (_, first) = try await PageFlow.arrive(server, "signInViaPopup", ["sub": "ada"])
      let account = try await PageFlow.redeem(server, first.event)
      let (_, same) = try await PageFlow.arrive(server, "reauthViaPopup", ["sub": "ada"])
      let again = try await PageFlow.redeem(server, same.event)
      #expect(again.status == 200)
      #expect(again["localId"] == account["localId"])
      let (_, other) = try await PageFlow.arrive(server, "reauthViaPopup", ["sub": "eve"])
      #expect(
        try await PageFlow.redeem(server, other.event).error
          == "USER_MISMATCH : No account has this identity.")
    }
  }

  @Test(arguments: [
    ("access_denied", "auth/user-cancelled"), ("user_cancelled_authorize", "auth/user-cancelled"),
    ("unauthorized_client", "auth/invalid-oauth-client-id"),
    ("temporarily_unavailable", "auth/network-request-failed"),
    ("</script><script>", "auth/internal-error"),
  ])
  func `a provider's error becomes one that the page knows`(
    _ error: String, _ code: String
  ) async throws {
    try await TestServer.with { server in
      for mode in ["signInViaPopup", "linkViaRedirect"] {
        let flow = try await BrowserFlow(server, query: PageFlow.query(mode))
        let page = try await flow.arrive("state=\(flow.state)&error=\(BrowserFlow.escape(error))")
        #expect(page.status == 200)
        #expect(page.scripts.count == 2)
        #expect(page.event?["type"]?.string == mode)
        #expect(page.event?["error"]?["code"]?.string == code)
        #expect(page.event?["error"]?["message"]?.string?.isEmpty == false)
        for name in ["urlResponse", "sessionId"] { #expect(page.event?[name] == .null) }
      }
    }
  }

  @Test(arguments: [
    ("oidc.none", "{}", "auth/operation-not-allowed"),
    ("oidc.trusted", #"{"client_id":"x"}"#, "auth/argument-error"),
  ])
  func `an error at the start is reported to the page`(
    _ provider: String, _ parameters: String, _ code: String
  ) async throws {
    try await TestServer.with { server in
      for mode in ["reauthViaPopup", "signInViaRedirect"] {
        let page = try await PageFlow.start(
          server, mode, provider, ["customParameters": parameters])
        #expect(page.event?["error"]?["code"]?.string == code)
        #expect(page.headers[.setCookie] == nil)
      }
    }
  }

  @Test func `the session id stays on the server until the browser returns`() async throws {
    try await TestServer.with { server in
      let started = try await PageFlow.start(server, "signInViaPopup")
      let (flow, page) = try await PageFlow.arrive(server, "signInViaPopup")
      let session = try #require(page.event?["sessionId"]?.string)
      #expect(!flow.asked.values.contains { $0.contains(session) })
      #expect(!flow.cookies.contains { $0.contains(session) })
      #expect(page.event?["urlResponse"]?.string?.contains(session) == false)
      #expect(started.text.isEmpty)
    }
  }

  @Test(arguments: ["en", "de", "vi"])
  func `the page is in the user's language, and runs one script`(_ language: String) async throws {
    try await TestServer.with { server in
      let flow = try await BrowserFlow(server, query: PageFlow.query("signInViaPopup"))
      var request = TestRequest(flow.path)
      request.method = .get
      request.key = nil
      request.query = "state=\(flow.state)&code=c"
      request.headers[.cookie] = flow.cookies.joined(separator: "; ")
      request.headers[.acceptLanguage] = language
      let page = try await server.call(request)
      #expect(page.text.contains("<html lang=\"\(language)\">"))
      #expect(page.text.contains(#"<section id="failure" role="alert" hidden>"#))
      let policy = page.headers[.contentSecurityPolicy] ?? ""
      #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'sha256-"))
      #expect(policy.hasSuffix("base-uri 'none'; form-action 'none'; frame-ancestors 'none'"))
      #expect(page.headers[.testFrameOptions] == "DENY")
      #expect(page.headers[.cacheControl] == "no-store")
      #expect(page.headers[.referrer] == "no-referrer")
    }
  }

  @Test func `a project's authorized domains are always a list`() async throws {
    try await TestServer.with { server in
      var request = TestRequest("/v1/projects")
      request.method = .get
      let project = try await server.call(request)
      #expect(project["projectId"] == "12345")
      #expect(project["authorizedDomains"] == ["localhost"])
    }
  }
}
