import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct RevokeTokenTests {
  private func signedIn(
    _ server: TestServer, _ subject: JSONValue = "001.a", at provider: String = "apple.com",
    more: String = ""
  ) async throws -> JSONValue {
    let token = try FakeProviders.token(provider, ["sub": subject])
    let reply = try await server.call(FakeProviders.signIn(provider, token, more: more))
    return try #require(reply["idToken"])
  }

  /// The provider's code `code`, of this user.
  private func issueCode(
    _ server: TestServer, _ subject: JSONValue = "001.a", at provider: String = "apple.com"
  ) throws {
    server.providers.issue(
      code: "code", idToken: try FakeProviders.token(provider, ["sub": subject]))
  }

  private func revoke(
    _ idToken: JSONValue, _ type: JSONValue, _ token: JSONValue = "code",
    at provider: String = "apple.com"
  ) -> TestRequest {
    TestRequest(
      "/v2/accounts:revokeToken",
      [
        "providerId": .string(provider), "tokenType": type, "token": token, "idToken": idToken,
      ])
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

  @Test func `Google's token is revoked by the same code too, although it isn't kept`() async throws
  {
    try await TestServer.with { server in
      let idToken = try await signedIn(server, "g-1", at: "google.com")
      try issueCode(server, "g-1", at: "google.com")
      server.providers.silence("https://oauth2.googleapis.com/revoke")
      let failed = try await server.call(revoke(idToken, "CODE", at: "google.com"))
      #expect(
        failed.error
          == "INVALID_IDP_RESPONSE : Error connecting to the given credential's issuer.")
      // If the client doesn't come back, the outbox revokes.
      let queued = try #require(try await server.outbox().first)
      #expect(queued.task.kind == .revoke)
      #expect(queued.dueAt == server.clock.now)
      server.providers.silence(nil)
      #expect(try await server.call(revoke(idToken, "CODE", at: "google.com")).text == "{}")
      #expect(server.providers.revoked(at: "google.com") == ["apple-refresh", "apple-refresh"])
      #expect(try await server.outbox().isEmpty)
    }
  }

  /// The writes of a request: the look for the code, the queued revocation, the expected report, the result.
  @Test(arguments: [(1, false), (2, true), (3, true)])
  func `a database that fails after the exchange loses no token`(
    _ writes: Int, _ isQueued: Bool
  ) async throws {
    try await TestServer.with { server in
      let idToken = try await signedIn(server, "g-1", at: "google.com")
      try issueCode(server, "g-1", at: "google.com")
      // The first write counts the request for the rate limit.
      server.failures.refuseWrite(after: 1 + writes)
      let failed = try await server.call(revoke(idToken, "CODE", at: "google.com"))
      #expect(failed.status == 503)
      #expect(try await server.outbox().isEmpty != isQueued)
      if isQueued {
        let repeated = try await server.call(revoke(idToken, "CODE", at: "google.com"))
        #expect(repeated.text == "{}")
        #expect(try await server.outbox().isEmpty)
      }
      #expect(Set(server.providers.revoked(at: "google.com")) == ["apple-refresh"])
    }
  }

  @Test func `a token that Google has revoked already counts as revoked, if it is the user's`()
    async throws
  {
    try await TestServer.with { server in
      let idToken = try await signedIn(server, "g-1", at: "google.com")
      let request = revoke(idToken, "REFRESH_TOKEN", "kept", at: "google.com")
      let uid = try #require(UID(try await server.uid(of: idToken)))
      let project = try #require(ProjectID(TestServer.project))
      let token = ProviderToken(
        uid: uid, provider: .google, clientID: "google-client",
        subject: try #require(Subject("g-1")), token: Secret("kept"), codeDigest: nil,
        obtainedAt: TestServer.start)
      try await server.store.write { try $0.save(token, in: project) }
      // The rate limit, the expected report, and the result, which is lost.
      server.failures.refuseWrite(after: 2)
      #expect(try await server.call(request).status == 503)
      #expect(try await server.call(request).text == "{}")
      let kept = try await server.store.read { try $0.providerTokens(of: uid, in: project) }
      #expect(kept.isEmpty)
      #expect(server.providers.revoked(at: "google.com") == ["kept", "kept"])

      // Of another token only Google knows whether it is revoked.
      let unknown = revoke(idToken, "REFRESH_TOKEN", "another's", at: "google.com")
      #expect(try await server.call(unknown).text == "{}")
      #expect(
        try await server.call(unknown).error
          == "INVALID_IDP_RESPONSE : The provider refused the request: 400 invalid_token")
    }
  }

  @Test func `a provider without a revocation endpoint leaves nothing in the outbox`() async throws
  {
    try await TestServer.with { server in
      let idToken = try await signedIn(server, "o-1", at: "oidc.trusted")
      try issueCode(server, "o-1", at: "oidc.trusted")
      let reply = try await server.call(revoke(idToken, "CODE", at: "oidc.trusted"))
      #expect(
        reply.error
          == "OPERATION_NOT_ALLOWED : The discovery document of oidc.trusted has no usable "
          + "revocation_endpoint.")
      #expect(try await server.outbox().isEmpty)
    }
  }

  @Test func `a queued code that can't be exchanged now is left to the outbox`() async throws {
    try await TestServer.with { server in
      let idToken = try await signedIn(server, more: "&code=code")
      let queued = try #require(try await server.outbox().first)
      #expect(queued.task.kind == .exchangeCode)
      server.providers.silence("https://appleid.apple.com/auth/token")
      let failed = try await server.call(revoke(idToken, "CODE"))
      #expect(
        failed.error
          == "INVALID_IDP_RESPONSE : Error connecting to the given credential's issuer.")
      let left = try #require(try await server.outbox().first)
      #expect(left.id == queued.id)
      #expect(left.dueAt == server.clock.now)
      // Now the request exchanges it, and the outbox no longer does.
      server.providers.silence(nil)
      try issueCode(server)
      #expect(try await server.call(revoke(idToken, "CODE")).text == "{}")
      #expect(try await server.outbox().isEmpty)
      #expect(server.providers.revoked == ["apple-refresh"])
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

  @Test func `a code that was sent as a token can be sent again as a code`() async throws {
    try await TestServer.with { server in
      let idToken = try await signedIn(server)
      try issueCode(server)
      // Apple accepts every text as a token to revoke. It is asked as each client that the token may be of.
      #expect(try await server.call(revoke(idToken, "REFRESH_TOKEN")).text == "{}")
      #expect(server.providers.revoked == ["code", "code"])
      #expect(try await server.call(revoke(idToken, "CODE")).text == "{}")
      #expect(server.providers.revoked.last == "apple-refresh")
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
  fileprivate var revoked: [String?] { revoked(at: "apple.com") }

  fileprivate func revoked(at provider: String) -> [String?] {
    let end = provider == "apple.com" ? "/auth/revoke" : "googleapis.com/revoke"
    return requests.filter { $0.url.hasSuffix(end) }.map { $0.form["token"] }
  }
}

extension TestServer {
  fileprivate func outbox() async throws -> [OutboxEntry] {
    try await store.read { try $0.outboxEntries(OutboxFilter(), limit: 100) }
  }

  fileprivate func uid(of idToken: JSONValue) async throws -> String {
    let reply = try await call(.accounts("lookup", ["idToken": idToken]))
    return reply["users"]?.array?.first?["localId"]?.string ?? ""
  }
}
