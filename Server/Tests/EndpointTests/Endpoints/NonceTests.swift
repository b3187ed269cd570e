import GatehouseProtocol
import Testing

@Suite struct NonceTests {
  @Test func `a nonce of the server signs in with the session id it came with`() async throws {
    try await TestServer.with { server in
      let issued = try await server.call(TestRequest("/v1/nonces", [:]))
      #expect(issued.status == 200)
      #expect(issued["expiresIn"] == "600")
      let reply = try await server.call(
        try signIn(issued["nonce"], ["sessionId": issued["sessionId"]]))
      #expect(reply["isNewUser"] == true)
    }
  }

  @Test func `another session id, or none, is refused`() async throws {
    try await TestServer.with { server in
      let (mine, others) = (
        try await server.call(TestRequest("/v1/nonces", [:])),
        try await server.call(TestRequest("/v1/nonces", [:]))
      )
      for sessionID in [others["sessionId"], nil] {
        let reply = try await server.call(try signIn(mine["nonce"], ["sessionId": sessionID]))
        #expect(
          reply.error == "MISSING_OR_INVALID_NONCE : The nonce was issued to another session.")
      }
    }
  }

  @Test func `with an ID token the nonce is for that session, and no session id is returned`()
    async throws
  {
    try await TestServer.with { server in
      let idToken = try await server.call(.accounts("signUp"))["idToken"]
      let issued = try await server.call(
        TestRequest("/v1/nonces", ["idToken": try #require(idToken)]))
      #expect(issued["sessionId"] == nil)
      let linked = try await server.call(try signIn(issued["nonce"], ["idToken": idToken]))
      #expect(linked.status == 200)
      let refused = try await server.call(TestRequest("/v1/nonces", ["idToken": "x"]))
      #expect(refused.error == "INVALID_ID_TOKEN")
    }
  }

  @Test func `a project that accepts only the server's nonces says so`() async throws {
    try await TestServer.with { server in
      let set = try await server.call(
        .admin(.patch, "v2/projects/demo/config", ["nonce": "server"]).with { _ in })
      #expect(set["nonce"] == "server")
      let own = try await server.call(try signIn("my own", [:]))
      #expect(
        own.error == "MISSING_OR_INVALID_NONCE : This project accepts only nonces of POST "
          + "/v1/nonces. A client can't create its own.")
      let none = try await server.call(
        FakeProviders.signIn(try FakeProviders.token(["sub": "s"])))
      #expect(
        none.error == "MISSING_OR_INVALID_NONCE : Nonce is missing in the request. This "
          + "project requires one for each sign-in.")
      let wrong = try await server.call(
        .admin(.patch, "v2/projects/demo/config", ["nonce": "Server"]).with { _ in })
      #expect(wrong.error == "INVALID_CONFIG : nonce is one of client, server.")
    }
  }

  /// A sign-in with a token that carries the nonce's hash.
  private func signIn(
    _ nonce: JSONValue?, _ fields: KeyValuePairs<String, JSONValue?>
  ) throws -> TestRequest {
    let raw = try #require(nonce?.string)
    let token = try FakeProviders.token(["sub": "s", "nonce": .string(raw.sha256Hex)])
    var body: JSONObject = [
      "requestUri": "http://localhost", "returnSecureToken": true,
      "postBody": .string("id_token=\(token)&nonce=\(raw)&providerId=oidc.trusted"),
    ]
    for (name, value) in fields { if let value { body[name] = value } }
    return .accounts("signInWithIdp", .object(body))
  }
}
