import GatehouseJSON
import GatehouseModel
import Testing

@Suite struct RevokeTokenTests {
  private func signedIn(_ server: TestServer, _ subject: JSONValue = "001.a") async throws
    -> JSONValue
  {
    let token = try FakeProviders.token("apple.com", ["sub": subject])
    let reply = try await server.call(FakeProviders.signIn("apple.com", token))
    return try #require(reply["idToken"])
  }

  /// Apple's code `code`, of this user.
  private func issueCode(_ server: TestServer, _ subject: JSONValue = "001.a") throws {
    server.providers.issue(
      code: "code", idToken: try FakeProviders.token("apple.com", ["sub": subject]))
  }

  private func revoke(
    _ idToken: JSONValue, _ type: JSONValue, _ token: JSONValue = "code"
  ) -> TestRequest {
    TestRequest(
      "/v2/accounts:revokeToken",
      ["providerId": "apple.com", "tokenType": type, "token": token, "idToken": idToken])
  }

  @Test(arguments: ["CODE", 3, "3"] as [JSONValue])
  func `a code is exchanged and its refresh token revoked`(_ type: JSONValue) async throws {
    try await TestServer.with { server in
      let idToken = try await signedIn(server)
      try issueCode(server)
      let reply = try await server.call(revoke(idToken, type))
      #expect(reply.status == 200)
      #expect(reply.text == "{}")
      #expect(server.providers.revoked == ["apple-refresh"])
      // The answer may have been lost: repeating the request is no error, although the code is used
      // up.
      #expect(try await server.call(revoke(idToken, type)).text == "{}")
    }
  }

  @Test func `a client that lost the response may repeat the request at another server`()
    async throws
  {
    try await TestServer.with { server in
      let idToken = try await signedIn(server)
      try issueCode(server)
      #expect(try await server.call(revoke(idToken, "CODE")).text == "{}")
      #expect(try await server.reopened().call(revoke(idToken, "CODE")).text == "{}")
      #expect(server.providers.revoked == ["apple-refresh"])
    }
  }

  @Test func `a code that another account has revoked is an unknown code`() async throws {
    try await TestServer.with { server in
      let idToken = try await signedIn(server)
      try issueCode(server)
      #expect(try await server.call(revoke(idToken, "CODE")).text == "{}")
      let other = try await signedIn(server, "001.b")
      let reply = try await server.call(revoke(other, "CODE"))
      #expect(reply.error?.hasPrefix("INVALID_IDP_RESPONSE") == true)
    }
  }

  @Test func `after a revocation that failed, the same code revokes`() async throws {
    try await TestServer.with { server in
      let idToken = try await signedIn(server)
      try issueCode(server)
      server.providers.silence("https://appleid.apple.com/auth/revoke")
      let failed = try await server.call(revoke(idToken, "CODE"))
      #expect(
        failed.error
          == "INVALID_IDP_RESPONSE : Error connecting to the given credential's issuer.")
      server.providers.silence(nil)
      #expect(try await server.call(revoke(idToken, "CODE")).text == "{}")
      #expect(server.providers.revoked == ["apple-refresh", "apple-refresh"])
    }
  }

  @Test func `a token whose account is deleted during the exchange is still revoked`() async throws
  {
    try await TestServer.with { server in
      let idToken = try await signedIn(server)
      try issueCode(server)
      server.providers.beforeExchange {
        await #expect(throws: Never.self) {
          try await server.call(.accounts("delete", ["idToken": idToken]))
        }
      }
      let reply = try await server.call(revoke(idToken, "CODE"))
      #expect(reply.error == "USER_NOT_FOUND")
      #expect(server.providers.revoked == ["apple-refresh"])
    }
  }

  @Test func `two requests with one code at the same time both succeed`() async throws {
    try await TestServer.with { server in
      let idToken = try await signedIn(server)
      try issueCode(server)
      async let first = server.call(revoke(idToken, "CODE"))
      async let second = server.call(revoke(idToken, "CODE"))
      #expect(try await [first, second].map(\.text) == ["{}", "{}"])
      #expect(server.providers.revoked == ["apple-refresh"])
    }
  }

  @Test func `a code of another user is refused and nothing is revoked`() async throws {
    try await TestServer.with { server in
      let idToken = try await signedIn(server)
      try issueCode(server, "001.b")
      let reply = try await server.call(revoke(idToken, "CODE"))
      #expect(
        reply.error
          == "INVALID_IDP_RESPONSE : The authorization code is of another user of apple.com.")
      #expect(server.providers.revoked == [])
    }
  }

  @Test func `a code counts as a recent sign-in, so that the account can be deleted`() async throws
  {
    try await TestServer.with { server in
      let idToken = try await signedIn(server)
      server.clock.advance(seconds: 1000)
      let early = try await server.call(.accounts("delete", ["idToken": idToken]))
      #expect(early.error == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
      try issueCode(server)
      #expect(try await server.call(revoke(idToken, "CODE")).text == "{}")
      #expect(try await server.call(.accounts("delete", ["idToken": idToken])).status == 200)
    }
  }

  @Test(arguments: [(1, "refresh_token"), (2, "access_token")])
  func `a token is revoked directly`(_ type: Int64, _ hint: String) async throws {
    try await TestServer.with { server in
      let idToken = try await signedIn(server)
      let reply = try await server.call(revoke(idToken, .number(JSONNumber(type)), "t"))
      #expect(reply.text == "{}")
      let request = try #require(server.providers.requests.last)
      #expect(request.form["token"] == "t")
      #expect(request.form["token_type_hint"] == hint)
    }
  }

  @Test func `without a key Apple isn't called, and the error names the setting`() async throws {
    try await TestServer.with { server in
      let idToken = try await signedIn(server)
      _ = try await server.call(
        .admin(.patch, "v2/projects/demo/defaultSupportedIdpConfigs/apple.com", [:]).with {
          $0.query = "updateMask=appleSignInConfig.codeFlowConfig.keyId"
        })
      let reply = try await server.call(revoke(idToken, "CODE"))
      #expect(
        reply.error
          == "OPERATION_NOT_ALLOWED : The configuration of apple.com has no valid "
          + "appleSignInConfig.codeFlowConfig.keyId.")
      #expect(!server.providers.requests.contains { $0.url.contains("/auth/token") })
    }
  }

  @Test func `the caller and the token have to be named`() async throws {
    try await TestServer.with { server in
      let idToken = try await signedIn(server)
      for (body, error) in [
        (["providerId": "apple.com", "tokenType": 2, "token": "t"], "MISSING_ID_TOKEN"),
        (
          ["providerId": "apple.com", "tokenType": 2, "token": "t", "idToken": "garbage"],
          "INVALID_ID_TOKEN"
        ),
        (["tokenType": 2, "token": "t", "idToken": idToken], "MISSING_PROVIDER_ID"),
        (["providerId": "apple.com", "tokenType": 2, "idToken": idToken], "MISSING_TOKEN"),
        (["providerId": "apple.com", "token": "t", "idToken": idToken], "INVALID_TOKEN_TYPE"),
      ] as [(JSONValue, String)] {
        let reply = try await server.call(TestRequest("/v2/accounts:revokeToken", body))
        #expect(reply.error == error)
      }
    }
  }
}

extension FakeProviders {
  /// The tokens that Apple was asked to revoke.
  fileprivate var revoked: [String?] {
    requests.filter { $0.url.hasSuffix("/auth/revoke") }.map { $0.form["token"] }
  }
}
