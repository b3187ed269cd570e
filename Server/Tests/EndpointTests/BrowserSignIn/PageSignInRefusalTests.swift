import Foundation
import GatehouseProtocol
import HTTPTypes
import Testing

/// Requests of web pages that the handler refuses, and input from malicious pages.
@Suite struct PageSignInRefusalTests {
  private static let link = "This link doesn’t work"
  private static let setup = "Sign-in isn’t set up yet"

  @Test(
    arguments: [
      ("appName", nil, link), ("appName", "a\nb", link),
      ("appName", String(repeating: "n", count: 257), link), ("eventId", nil, link),
      ("eventId", String(repeating: "1", count: 257), link), ("providerId", nil, link),
      ("redirectUrl", nil, link), ("tid", "tenant", setup), ("authType", "verifyApp", setup),
      ("authType", "signinviapopup", setup), ("customParameters", "[]", link),
    ] as [(String, String?, String)])
  func `an invalid request shows a page`(_ name: String, _ value: String?, _ heading: String)
    async throws
  {
    try await TestServer.with { server in
      let page = try await PageFlow.start(
        server, "signInViaPopup", "oidc.trusted", .init(dictionaryLiteral: (name, value)))
      #expect(page.status == 400)
      #expect(page.heading == heading)
      #expect(page.delivery == nil)
      #expect(page.headers[.location] == nil)
      #expect(page.headers[.setCookie] == nil)
    }
  }

  @Test(arguments: ["apiKey", "appName", "authType", "redirectUrl", "eventId", "providerId"])
  func `a parameter given twice is refused`(_ name: String) async throws {
    try await TestServer.with { server in
      let page = try await BrowserFlow.get(
        server, PageFlow.query("signInViaPopup") + "&\(name)=x")
      #expect(page.heading == Self.link)
      #expect(page.text.contains("The parameter \(name) is missing, malformed or given twice."))
    }
  }

  @Test(arguments: [
    "//evil.example.com/", #"http:\\evil.example.com"#, #"http://localhost\@evil.example.com/"#,
    #"http://localhost:5173\evil"#, "http://localhost@evil.example.com/",
    "http://evil.example.com#@localhost/", "http://evil.example.com?@localhost/",
    "http://evil.example.com%2f@localhost/", "https://localhost.evil.example.com/",
    "http://localhost/%2e%2e/x", "http://localhost/../x", "http://10.0.0.1/", "http://[fd00::1]/",
    "http://2130706433/", "http://127.1/", "javascript:alert(1)", "data:text/html,x",
    "https://evil.example.com/", "http://localhost:99999/", "ftp://localhost/",
    "blob:http://localhost/1",
    "http://localhost\t/", "http:localhost/", "http://127.0.0.2/", "com.example.app://x/",
    "app-1-12345://x", "http://localhost/\u{0}", "http://localhost/ü", "about:blank", "null",
  ])
  func `a page on another domain is refused`(_ url: String) async throws {
    try await TestServer.with { server in
      for mode in ["signInViaPopup", "reauthViaRedirect"] {
        let page = try await PageFlow.start(server, mode, "oidc.trusted", ["redirectUrl": url])
        #expect(page.status == 400)
        #expect(page.delivery == nil)
        #expect(page.headers[.location] == nil)
      }
    }
  }

  @Test(arguments: [
    ("http://localhost", "http://localhost"), ("http://LOCALHOST:80/", "http://localhost"),
    ("https://localhost:443?q=1", "https://localhost"),
    ("http://127.0.0.1:81/a|b", "http://127.0.0.1:81"),
    ("http://[::1]:5173/", "http://[::1]:5173"), (#"http://localhost/?q=\{"#, "http://localhost"),
    ("http://localhost:5173/#/a?b=../c", "http://localhost:5173"),
  ])
  func `a page's origin is read as browsers write it`(_ url: String, _ origin: String)
    async throws
  {
    try await TestServer.with { server in
      let (_, page) = try await PageFlow.arrive(
        server, "signInViaRedirect", [:], ["redirectUrl": url])
      #expect(page.delivery?["origin"]?.string == origin)
      #expect(page.delivery?["returnUrl"]?.string == url)
    }
  }

  @Test(arguments: [
    "</script><script>alert(1)</script>", "<!--<script>", "\u{2028}alert(1)", "]]>", #"'"&amp;"#,
    #"\u003c/script>"#, "__proto__",
  ])
  func `a page's own name stays text`(_ name: String) async throws {
    try await TestServer.with { server in
      for mode in ["linkViaPopup", "linkViaRedirect"] {
        let (_, page) = try await PageFlow.arrive(
          server, mode, [:],
          [
            "appName": name, "apiKey": name, "eventId": name,
            "redirectUrl": "http://localhost/?</script><script>'#<!--",
          ])
        #expect(page.scripts.count == 2)
        #expect(!page.text.contains("<!--"))
        #expect(page.delivery?["appName"]?.string == name)
        #expect(page.delivery?["apiKey"]?.string == name)
        #expect(page.event?["eventId"]?.string == name)
      }
    }
  }

  @Test func `an answer in another browser is told to no page`() async throws {
    try await TestServer.with { server in
      let attacker = try await BrowserFlow(server, query: PageFlow.query("signInViaPopup"))
      let victim = try await BrowserFlow(server, query: PageFlow.query("signInViaPopup"))
      let page = try await victim.arrive("state=\(attacker.state)&code=c")
      #expect(page.status == 400)
      #expect(page.heading == "This sign-in belongs to another browser")
      #expect(page.delivery == nil)
    }
  }

  @Test(arguments: ["signInViaPopup", "signInViaRedirect"])
  func `an answer is accepted once, in time, and with a state`(_ mode: String) async throws {
    try await TestServer.with { server in
      let (flow, _) = try await PageFlow.arrive(server, mode)
      let again = try await flow.arrive("state=\(flow.state)&code=c")
      #expect(again.heading == "This sign-in is finished")
      #expect(again.delivery == nil)
      #expect(try await flow.arrive("code=c").heading == Self.link)
      let late = try await BrowserFlow(server, query: PageFlow.query(mode))
      server.clock.advance(seconds: 600)
      let page = try await late.arrive("state=\(late.state)&code=c")
      #expect(page.heading == "That took too long")
      #expect(page.delivery == nil)
    }
  }

  @Test func `an answer can be redeemed with its session id, within five minutes`() async throws {
    try await TestServer.with { server in
      let (_, page) = try await PageFlow.arrive(server, "signInViaPopup")
      let (_, other) = try await PageFlow.arrive(server, "signInViaPopup")
      for session in [.null, "", other.event?["sessionId"] ?? .null] as [JSONValue] {
        let refused = try await PageFlow.redeem(server, page.event, ["sessionId": session])
        #expect(
          refused.error
            == "INVALID_IDP_RESPONSE : The sessionId differs from the one that the sign-in began with."
        )
      }
      server.clock.advance(seconds: 301)
      let late = try await PageFlow.redeem(server, page.event)
      #expect(
        late.error == "INVALID_IDP_RESPONSE : The sign-in took too long. Begin it again.")
    }
  }

  @Test(arguments: [
    ("signInViaPopup", true), ("linkViaPopup", false), ("reauthViaRedirect", true),
  ])
  func `a sign-in for one purpose can't be used for another`(_ mode: String, _ links: Bool)
    async throws
  {
    try await TestServer.with { server in
      let account = try await server.call(.accounts("signUp", ["returnSecureToken": true]))
      let (_, page) = try await PageFlow.arrive(server, mode)
      let idToken = account["idToken"] ?? .null
      let refused = try await PageFlow.redeem(
        server, page.event, links ? ["idToken": idToken] : [:])
      #expect(
        refused.error
          == "INVALID_IDP_RESPONSE : A sign-in that began as a link needs the account's "
          + "idToken. Other sign-ins must not have one.")
    }
  }
}
