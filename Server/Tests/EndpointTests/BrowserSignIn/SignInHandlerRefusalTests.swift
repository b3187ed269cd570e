import Foundation
import GatehouseProtocol
import HTTPTypes
import Testing

/// Requests that the handler refuses: with a page if it can't be sure whose browser it is,
/// otherwise by telling the app.
@Suite struct SignInHandlerRefusalTests {
  private static let link = "This link doesn’t work"
  private static let setup = "Sign-in isn’t set up yet"
  private static let otherBrowser = "This sign-in belongs to another browser"

  @Test(
    arguments: [
      ("authType", nil, link), ("authType", "verifyApp", setup), ("providerId", nil, link),
      ("eventId", nil, link), ("eventId", "two words", link), ("sessionId", nil, link),
      ("sessionId", "ABCDEF", link), ("ibi", nil, link), ("ibi", "no-dots", link),
      ("tid", "tenant", setup), ("customParameters", "[1]", link),
      ("customParameters", #"{"a":1}"#, link),
    ] as [(String, String?, String)])
  func `an invalid request shows a page`(_ name: String, _ value: String?, _ heading: String)
    async throws
  {
    try await TestServer.with { server in
      let page = try await BrowserFlow.get(
        server, BrowserFlow.query("oidc.trusted", .init(dictionaryLiteral: (name, value))))
      #expect(page.status == 400)
      #expect(page.heading == heading)
      #expect(page.headers[.location] == nil)
      #expect(page.headers[.setCookie] == nil)
    }
  }

  @Test func `a parameter given twice is refused`() async throws {
    try await TestServer.with { server in
      let twice = BrowserFlow.query("oidc.trusted") + "&providerId=google.com"
      let page = try await BrowserFlow.get(server, twice)
      #expect(page.heading == Self.link)
      #expect(page.text.contains("The parameter providerId is missing, malformed or given twice."))
    }
  }

  @Test(arguments: [
    "//evil.example.com/cb", #"http:\\evil.example.com"#, #"http://localhost\@evil.example.com/"#,
    "http://localhost@evil.example.com/", "http://evil.example.com%2f@localhost/",
    "https://localhost.evil.example.com/", "http://localhost/%2e%2e/cb", "http://localhost/../cb",
    "http://localhost/cb#fragment", "http://10.0.0.1/cb", "http://[fd00::1]/cb",
    "http://2130706433/cb", "http://127.1/cb", "javascript:alert(1)", "data:text/html,x",
    "https://evil.example.com/", "http://localhost:99999/", "ftp://localhost/",
    "http://localhost\t/", "http:localhost/cb", "http://127.0.0.2/cb",
  ])
  func `a redirect to another domain is refused`(_ url: String) async throws {
    try await TestServer.with { server in
      let page = try await BrowserFlow.start(
        server, "oidc.trusted", ["redirectUrl": url, "ibi": nil])
      #expect(page.status == 400)
      #expect(page.headers[.location] == nil)
      let begun = try await server.call(
        .accounts("createAuthUri", ["providerId": "oidc.trusted", "continueUri": .string(url)]))
      #expect(begun.status == 400)
      #expect(
        begun.error?.hasPrefix("INVALID_CONTINUE_URI") == true
          || begun.error?.hasPrefix("UNAUTHORIZED_DOMAIN") == true)
    }
  }

  @Test(arguments: [
    #"{"client_id":"x"}"#, #"{"redirect_uri":"x"}"#, #"{"state":"x"}"#, #"{"scope":"x"}"#,
    #"{"nonce":"x"}"#, #"{"response_type":"token"}"#, #"{"response_mode":"query"}"#,
    #"{"code_challenge":"x"}"#, #"{"code_challenge_method":"plain"}"#, #"{"Request_URI":"x"}"#,
  ])
  func `a parameter that binds the answer is refused`(_ json: String) async throws {
    try await TestServer.with { server in
      let reply = try await BrowserFlow.start(
        server, "oidc.trusted", ["customParameters": json])
      #expect(reply.appError == "auth/argument-error")
      #expect(reply.deepLink["firebaseError"]?.contains("Only the server may set") == true)
      #expect(reply.headers[.setCookie] == nil)
    }
  }

  @Test func `an answer without a state that this server issued is refused`() async throws {
    try await TestServer.with { server in
      let flow = try await BrowserFlow(server, "oidc.trusted")
      let tampered = String(flow.state.dropLast()) + (flow.state.hasSuffix("A") ? "B" : "A")
      for query in ["code=c", "state=&code=c", "state=made-up&code=c", "state=\(tampered)&code=c"] {
        let page = try await flow.arrive(query)
        #expect(page.status == 400)
        #expect(page.heading == Self.link)
      }
    }
  }

  @Test func `an answer is accepted once`() async throws {
    try await TestServer.with { server in
      let flow = try await BrowserFlow(server, "oidc.trusted")
      #expect(try await flow.arrive("state=\(flow.state)&code=c").status == 303)
      let again = try await flow.arrive("state=\(flow.state)&code=c")
      #expect(again.status == 400)
      #expect(again.heading == "This sign-in is finished")
    }
  }

  @Test func `an answer is accepted within ten minutes`() async throws {
    try await TestServer.with { server in
      let flow = try await BrowserFlow(server, "oidc.trusted")
      let late = try await BrowserFlow(server, "oidc.trusted")
      server.clock.advance(seconds: 599)
      #expect(try await flow.arrive("state=\(flow.state)&code=c").status == 303)
      server.clock.advance(seconds: 1)
      let page = try await late.arrive("state=\(late.state)&code=c")
      #expect(page.heading == "That took too long")
    }
  }

  @Test func `an answer in another browser is refused`() async throws {
    try await TestServer.with { server in
      let attacker = try await BrowserFlow(server, "oidc.trusted")
      // The victim has a sign-in of their own in progress.
      let victim = try await BrowserFlow(server, "oidc.trusted")
      let page = try await victim.arrive("state=\(attacker.state)&code=c")
      #expect(page.status == 400)
      #expect(page.heading == Self.otherBrowser)
      #expect(page.headers[.location] == nil)
      // It uses nothing up.
      #expect(try await attacker.arrive("state=\(attacker.state)&code=c").status == 303)
    }
  }

  @Test func `a posted form without the cookie is refused`() async throws {
    try await TestServer.with { server in
      var flow = try await BrowserFlow(server, "apple.com")
      flow.cookies = []
      let page = try await flow.post("state=\(flow.state)&code=c")
      #expect(page.status == 400)
      #expect(page.heading == Self.otherBrowser)
    }
  }

  @Test func `a form that an attacker lets the browser post has no effect`() async throws {
    try await TestServer.with { server in
      let attacker = try await BrowserFlow(server, "apple.com")
      let victim = try await BrowserFlow(server, "apple.com")
      let page = try await victim.post("state=\(attacker.state)&code=attackers")
      #expect(page.heading == Self.otherBrowser)
    }
  }

  @Test func `a repeated field of an answer is refused`() async throws {
    try await TestServer.with { server in
      let flow = try await BrowserFlow(server, "apple.com")
      let query = "state=\(flow.state)&code=a&code=b"
      #expect(try await flow.arrive(query).heading == Self.link)
      #expect(try await flow.post(query).heading == Self.link)
    }
  }

  @Test(arguments: ["https://evil.example.com", "https://issuer.example.com/", ""])
  func `an answer of another issuer is refused`(_ issuer: String) async throws {
    try await TestServer.with { server in
      let flow = try await BrowserFlow(server, "oidc.trusted")
      let right = try await BrowserFlow(server, "oidc.trusted")
      let reply = try await flow.arrive(
        "state=\(flow.state)&code=c&iss=\(BrowserFlow.escape(issuer))")
      // An empty parameter counts as absent, and this provider may omit it.
      #expect((reply.appError == "auth/internal-error") == !issuer.isEmpty)
      let good = try await right.arrive(
        "state=\(right.state)&code=c&iss=\(BrowserFlow.escape(FakeProviders.issuer))")
      #expect(good.link != nil)
    }
  }

  @Test func `an answer that lacks what was requested is reported to the app`() async throws {
    try await TestServer.with { server in
      let flow = try await BrowserFlow(server, "oidc.trusted")
      let reply = try await flow.arrive(
        "state=\(flow.state)&id_token=\(try flow.token("oidc.trusted"))")
      #expect(reply.appError == "auth/internal-error")
    }
  }

  @Test func `Apple's user field is a name or nothing`() async throws {
    let long = String(repeating: "n", count: 10_000)
    let rows: [(String, JSONValue?)] = [
      (#"{"name":{"firstName":"\#(long)"}}"#, nil),
      (#"{"name":{"firstName":"<img src=x>","lastName":"\u202Eabc"}}"#, "<img src=x> abc"),
      (#"{"email":"victim@example.com"}"#, nil), ("not json", nil),
      (#"{"name":{"firstName":"a\u0000b","lastName":"L"}}"#, "ab L"),
    ]
    try await TestServer.with { server in
      for (index, (user, name)) in rows.enumerated() {
        let flow = try await BrowserFlow(server, "apple.com")
        server.providers.issue(
          code: "c", idToken: try flow.token("apple.web", ["sub": .string("s\(index)")]))
        let form = "state=\(flow.state)&code=c&user=\(BrowserFlow.escape(user))"
        let arrived = try await flow.post(form)
        let signedIn = try await flow.redeem(arrived.link)
        #expect(signedIn.status == 200)
        #expect(signedIn["displayName"] == name)
        #expect(signedIn["email"] == nil)
      }
    }
  }

  @Test func `a link preview uses nothing up`() async throws {
    try await TestServer.with { server in
      let flow = try await BrowserFlow(server, "oidc.trusted")
      var preview = TestRequest("/__/auth/handler")
      preview.method = .head
      preview.query = "state=\(flow.state)&code=c"
      preview.headers[.cookie] = flow.cookies.joined(separator: "; ")
      #expect(try await server.call(preview).status == 200)
      #expect(try await flow.arrive("state=\(flow.state)&code=c").link != nil)
    }
  }

  @Test func `a page of another site reads nothing`() async throws {
    try await TestServer.with { server in
      var request = TestRequest("/__/auth/handler")
      request.method = .get
      request.headers[.origin] = "https://evil.example.com"
      let page = try await server.call(request)
      #expect(page.headers[.accessControlAllowOrigin] == nil)
    }
  }
}
