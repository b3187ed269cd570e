import GatehouseProtocol
import Testing

@Suite struct CreateSessionCookieTests {
  private func request(_ body: JSONValue) -> TestRequest {
    TestRequest.admin(.post, "v1/projects/demo:createSessionCookie", body).with { _ in }
  }

  private func idToken(_ server: TestServer) async throws -> JSONValue {
    try #require(try await server.call(.accounts("signUp"))["idToken"])
  }

  @Test(arguments: [3600, "3600"] as [JSONValue])
  func `the duration is a number or a string`(duration: JSONValue) async throws {
    try await TestServer.with { server in
      let token = try await idToken(server)
      let reply = try await server.call(request(["idToken": token, "validDuration": duration]))
      #expect(reply.status == 200)
      let claims = reply.claims("sessionCookie")
      #expect(claims["iss"] == "https://session.firebase.google.com/demo")
      #expect(claims["aud"] == "demo")
      let lifetime = try #require(claims["exp"]?.int64) - #require(claims["iat"]?.int64)
      #expect(lifetime == 3600)
    }
  }

  @Test(arguments: [nil, .null] as [JSONValue?])
  func `without a duration it lives for fourteen days`(duration: JSONValue?) async throws {
    try await TestServer.with { server in
      var body: JSONObject = ["idToken": try await idToken(server)]
      body["validDuration"] = duration
      let claims = try await server.call(request(.object(body))).claims("sessionCookie")
      let lifetime = try #require(claims["exp"]?.int64) - #require(claims["iat"]?.int64)
      #expect(lifetime == 1_209_600)
    }
  }

  @Test func `the header has no typ, and the cookie key signs`() async throws {
    try await TestServer.with { server in
      let reply = try await server.call(request(["idToken": try await idToken(server)]))
      let cookie = try #require(reply["sessionCookie"]?.string)
      let encoded = try #require(cookie.split(separator: ".").first)
      let header = try JSONValue(parsing: try #require(Base64Text.decode(String(encoded))))
      #expect(header["alg"] == "RS256")
      #expect(header["typ"] == nil)
      #expect(header["kid"] == .string(try SharedKeys.cookies.get().keyID))
    }
  }

  @Test func `each error is named`() async throws {
    try await TestServer.with { server in
      let token = try await idToken(server)
      let cases: [(JSONValue, String)] = [
        (["validDuration": 3600], "MISSING_ID_TOKEN"),
        (["idToken": "garbage"], "INVALID_ID_TOKEN"),
        (["idToken": token, "validDuration": 299], "INVALID_DURATION"),
        (["idToken": token, "validDuration": "1209601"], "INVALID_DURATION"),
      ]
      for (body, message) in cases {
        let reply = try await server.call(request(body))
        #expect(reply.status == 400)
        #expect(reply.error == message)
      }
    }
  }

  @Test func `a client can't create a session cookie`() async throws {
    try await TestServer.with { server in
      let body: JSONValue = ["idToken": try await idToken(server)]
      #expect(try await server.call(request(body)).status == 200)
      let reply = try await server.call(TestRequest("/v1/projects/demo:createSessionCookie", body))
      #expect(reply.status == 401)
    }
  }

  @Test func `lookup finds a cookie's account, and accepts no cookie as an ID token`() async throws
  {
    try await TestServer.with { server in
      let account = try await server.call(.accounts("signUp"))
      let token = try #require(account["idToken"])
      let cookie = try #require(
        try await server.call(request(["idToken": token]))["sessionCookie"])
      let found = try await server.call(.accounts("lookup", ["sessionCookie": cookie]))
      #expect(found["users"]?.array?.first?["localId"] == account["localId"])
      let asIDToken = try await server.call(.accounts("lookup", ["idToken": cookie]))
      #expect(asIDToken.error == "INVALID_ID_TOKEN")
      let asCookie = try await server.call(.accounts("lookup", ["sessionCookie": token]))
      #expect(asCookie.error == "INVALID_SESSION_COOKIE")
    }
  }
}
