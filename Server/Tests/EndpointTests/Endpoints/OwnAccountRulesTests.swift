import GatehouseProtocol
import Testing

/// What a user may ask of `signUp`, `update` and `createAuthUri` for their own account, and the
/// order of the refusals.
@Suite struct OwnAccountRulesTests {
  private static let email: JSONValue = "ada@example.com"
  private static let credentials: JSONValue = ["email": email, "password": "secret1"]

  struct Row: Sendable, CustomTestStringConvertible {
    let body: JSONObject
    let error: String
    var testDescription: String { error }

    init(_ body: JSONObject, _ error: String) { (self.body, self.error) = (body, error) }
  }

  static let refusals: [Row] = [
    Row(["disableUser": true], "OPERATION_NOT_ALLOWED"),
    Row(["disableUser": false], "OPERATION_NOT_ALLOWED"),
    Row(
      ["linkProviderUserInfo": ["providerId": "google.com", "rawId": "g"]],
      "UNEXPECTED_PARAMETER : link_provider_user_info is not allowed with ID token."),
    Row(
      ["mfa": ["enrollments": [["phoneInfo": "+15555550101"]]]],
      "OPERATION_NOT_ALLOWED : Only an administrator sets mfa."),
    Row(
      ["upgradeToFederatedLogin": true],
      "OPERATION_NOT_ALLOWED : upgradeToFederatedLogin isn't supported."),
    Row(
      ["deleteAttribute": ["PROVIDER"]],
      "OPERATION_NOT_ALLOWED : PROVIDER isn't supported: name providers in deleteProvider."),
    Row(["deleteAttribute": ["SHOE_SIZE"]], "Invalid value at 'deleteAttribute[0]' (TYPE_ENUM)"),
    Row(["email": ""], "INVALID_EMAIL"),
    Row(["email": "other@example.com"], "EMAIL_EXISTS"),
    Row(["password": ""], "WEAK_PASSWORD : Password should be at least 6 characters"),
    Row(
      ["displayName": "Ada\r\nL"],
      "INVALID_PROFILE_ATTRIBUTE : Display name has control characters."),
    Row(
      ["displayName": .string(String(repeating: "😀", count: 129))],
      "INVALID_PROFILE_ATTRIBUTE : Display name too long."),
  ]

  @Test(arguments: refusals) func `update refuses, and changes nothing`(_ row: Row) async throws {
    try await TestServer.with { server in
      _ = try await server.call(
        .accounts("signUp", ["email": "other@example.com", "password": "secret1"]))
      let ada = try await server.call(.accounts("signUp", Self.credentials))
      var body = row.body
      body["idToken"] = ada["idToken"]
      let before = try await lookup(server, ada)
      let reply = try await server.call(.accounts("update", .object(body)))
      #expect(reply.status == 400)
      #expect(reply.error == row.error)
      #expect(try await lookup(server, ada) == before)
    }
  }

  private func lookup(_ server: TestServer, _ account: TestReply) async throws -> JSONValue? {
    let reply = try await server.call(
      .accounts("lookup", ["idToken": try #require(account["idToken"])]))
    return reply["users"]?.array?.first
  }

  @Test func `an account without an address gets no password`() async throws {
    try await TestServer.with { server in
      let anonymous = try await server.call(.accounts("signUp"))
      let idToken = try #require(anonymous["idToken"])
      let alone = try await server.call(
        .accounts("update", ["idToken": idToken, "password": "secret1"]))
      #expect(alone.error == "MISSING_EMAIL")
      let both = try await server.call(
        .accounts("update", ["idToken": idToken, "email": Self.email, "password": "secret1"]))
      #expect(both.status == 200)
      #expect(
        try await server.call(.accounts("signInWithPassword", Self.credentials)).status == 200)
    }
  }

  @Test func `validSince revokes earlier tokens and returns new ones`() async throws {
    try await TestServer.with { server in
      let ada = try await server.call(.accounts("signUp", Self.credentials))
      server.clock.advance(seconds: 2)
      let revoked = try await server.call(
        .accounts(
          "update",
          ["idToken": try #require(ada["idToken"]), "validSince": 1, "returnSecureToken": true]))
      #expect(revoked.status == 200)
      let old = try await server.call(
        .accounts("lookup", ["idToken": try #require(ada["idToken"])]))
      #expect(old.error == "TOKEN_EXPIRED")
      #expect(try await lookup(server, revoked) != nil)
      let refresh = try await server.call(
        TestRequest(
          "/v1/token",
          ["grantType": "refresh_token", "refreshToken": try #require(ada["refreshToken"])]))
      #expect(refresh.status == 400)
    }
  }

  @Test func `long after the sign-in it revokes, and returns no new tokens`() async throws {
    try await TestServer.with { server in
      let ada = try await server.call(.accounts("signUp", Self.credentials))
      server.clock.advance(seconds: 1800)
      let revoked = try await server.call(
        .accounts(
          "update",
          ["idToken": try #require(ada["idToken"]), "validSince": 1, "returnSecureToken": true]))
      #expect(revoked.status == 200)
      #expect(revoked["idToken"] == nil)
      #expect(revoked["refreshToken"] == nil)
      let old = try await server.call(
        .accounts("lookup", ["idToken": try #require(ada["idToken"])]))
      #expect(old.error == "TOKEN_EXPIRED")
    }
  }

  @Test func `a picture from a client is ignored at sign-up`() async throws {
    try await TestServer.with { server in
      let ada = try await server.call(
        .accounts(
          "signUp",
          [
            "email": Self.email, "password": "secret1", "displayName": "Ada",
            "photoUrl": "https://example.com/p",
          ]))
      #expect(ada["displayName"] == "Ada")
      #expect(try await lookup(server, ada)?["photoUrl"] == nil)
    }
  }

  @Test func `an address with diacritics or without upper case signs up, a lookalike doesn't`()
    async throws
  {
    try await TestServer.with { server in
      for (email, error) in [
        ("テスト@example.com", nil), ("用户1@example.com", nil),
        ("\u{430}da@example.com", "INVALID_EMAIL"), ("ad\u{E0}@example.com", nil),
        ("ad用@example.com", "INVALID_EMAIL"), ("\u{FF41}@example.com", "INVALID_EMAIL"),
      ] as [(String, String?)] {
        let reply = try await server.call(
          .accounts("signUp", ["email": .string(email), "password": "secret1"]))
        #expect(reply.error == error, "\(email)")
        if error == nil { #expect(reply["email"] == .string(email)) }
      }
    }
  }

  // MARK: createAuthUri

  private func methods(_ server: TestServer, _ identifier: JSONValue = email) async throws
    -> TestReply
  {
    try await server.call(
      .accounts("createAuthUri", ["identifier": identifier, "continueUri": "http://localhost"]))
  }

  @Test(arguments: ["", "localhost", "/path", "http://", "not a uri://host"])
  func `createAuthUri requires an absolute continueUri`(uri: String) async throws {
    try await TestServer.with { server in
      let reply = try await server.call(
        .accounts(
          "createAuthUri", ["identifier": Self.email, "continueUri": .string(uri)]))
      #expect(reply.status == 400)
      #expect(reply.error == (uri.isEmpty ? "MISSING_CONTINUE_URI" : "INVALID_CONTINUE_URI"))
    }
  }

  @Test func `an address without an account has no methods`() async throws {
    try await TestServer.with { server in
      let reply = try await methods(server)
      #expect(reply["registered"] == false)
      #expect(reply["allProviders"] == [])
      #expect(reply["signinMethods"] == [])
    }
  }

  @Test func `createAuthUri finds an address that only a linked provider has`() async throws {
    try await TestServer.with { server in
      let ada = try await server.call(.accounts("signUp", Self.credentials))
      let token = try FakeProviders.token(
        "google.com", ["sub": "g", "email": "work@example.com", "email_verified": true])
      let linked = try await server.call(
        FakeProviders.signIn(
          "google.com", token, fields: ["idToken": try #require(ada["idToken"])]))
      #expect(linked.status == 200)
      let reply = try await methods(server, "work@example.com")
      #expect(reply["registered"] == true)
      #expect(reply["signinMethods"] == ["password", "google.com"])
    }
  }

  @Test func `if addresses may be shared, createAuthUri returns only the password`() async throws {
    try await TestServer.with { server in
      _ = try await server.call(
        .admin(.patch, "v2/projects/demo/config", ["signIn": ["allowDuplicateEmails": true]])
          .with { _ in })
      let token = try FakeProviders.token(
        "google.com", ["sub": "g", "email": Self.email, "email_verified": true])
      #expect(try await server.call(FakeProviders.signIn("google.com", token)).status == 200)
      #expect(try await methods(server)["registered"] == false)
      _ = try await server.call(.accounts("signUp", Self.credentials))
      let reply = try await methods(server)
      #expect(reply["registered"] == true)
      #expect(reply["signinMethods"] == ["password"])
    }
  }
}
