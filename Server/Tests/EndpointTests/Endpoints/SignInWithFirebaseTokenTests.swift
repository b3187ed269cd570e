import Foundation
import GatehouseProtocol
import GatehouseServer
import GatehouseTokens
import Testing

/// A session at Firebase is continued here. The fake Google publishes `SharedKeys.provider`.
@Suite struct SignInWithFirebaseTokenTests {
  private static let uid = "aUserOfFirebase0000000000001"

  /// The claims of an ID token that Firebase issued ten seconds before the server's time, to a user who
  /// signed in thirty days ago.
  private func claims(
    uid: String = uid, by provider: JSONValue = "google.com",
    _ change: (inout JSONObject) -> Void = { _ in }
  ) -> JSONObject {
    let issued = Int64(TestServer.start.timeIntervalSince1970) - 10
    var claims: JSONObject = [
      "iss": "https://securetoken.google.com/old-app", "aud": "old-app", "sub": .string(uid),
      "user_id": .string(uid), "auth_time": .number(JSONNumber(issued - 30 * 86_400)),
      "iat": .number(JSONNumber(issued)), "exp": .number(JSONNumber(issued + 3600)),
      "firebase": ["identities": [:], "sign_in_provider": provider],
    ]
    change(&claims)
    return claims
  }

  private func request(
    _ claims: JSONObject, signedBy key: RSASigningKey? = nil
  ) throws -> TestRequest {
    let signer = RS256Signer(key: try key ?? SharedKeys.provider.get())
    let token = try TokenWriter(signer: signer).token(payload: claims.serialized())
    return .accounts("signInWithFirebaseToken", ["token": .string(token)])
  }

  /// Runs `body` with a server on which the user was imported.
  private func withImport(
    _ body: (TestServer) async throws -> Void
  ) async throws {
    try await TestServer.with { server in
      // Makes the development server's project, too.
      try await importUser(on: server)
      try await change(server) {
        $0.policies.firebaseSessions.project = "old-app"
        $0.policies.firebaseSessions.until = "2026-12-31"
      }
      try await body(server)
    }
  }

  private func change(
    _ server: TestServer, _ change: @escaping @Sendable (inout Project) -> Void
  ) async throws {
    let id = try #require(ProjectID(TestServer.project))
    _ = try #require(await server.services.projects.updateProject(id, change))
  }

  private func importUser(on server: TestServer, overwriting: Bool = false) async throws {
    let made = try await server.call(
      .admin(
        .post, "v1/projects/demo/accounts:batchCreate",
        [
          "users": [
            [
              "localId": .string(Self.uid), "email": "ada@example.com",
              "createdAt": "1700000000000", "validSince": "1700000000",
            ]
          ],
          "allowOverwrite": .bool(overwriting),
        ]))
    #expect(made.status == 200 && made["error"] == nil)
  }

  @Test func `a user who was imported stays signed in, by an old sign-in`() async throws {
    try await withImport { server in
      let reply = try await server.call(request(claims()))
      #expect(reply.status == 200)
      #expect(reply["isNewUser"] == false)
      let token = reply.claims()
      #expect(token["sub"]?.string == Self.uid)
      #expect(token["email"] == "ada@example.com")
      #expect(token["firebase"]?["sign_in_provider"] == "google.com")
      let signedIn = Int64(TestServer.start.timeIntervalSince1970) - 10 - 30 * 86_400
      #expect(token["auth_time"]?.int64 == signedIn)
      // The session goes on, and is no recent sign-in.
      let refreshed = try await server.call(
        TestRequest("/v1/token").with {
          $0.body = "grant_type=refresh_token&refresh_token=\(reply["refreshToken"]?.string ?? "")"
        })
      #expect(refreshed.status == 200)
      let change = try await server.call(
        .accounts(
          "update", ["idToken": reply["idToken"] ?? .null, "password": "another-password"]))
      #expect(change.error == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
    }
  }

  @Test func `a token works once`() async throws {
    try await withImport { server in
      let request = try request(claims())
      #expect(try await server.call(request).status == 200)
      #expect(
        try await server.call(request).error
          == "MISSING_OR_INVALID_NONCE : Duplicate credential received. Please try again with a new "
          + "credential.")
      // The user's other device has another one.
      let other = try self.request(claims { $0["iat"] = .number(JSONNumber(1_779_999_000)) })
      #expect(try await server.call(other).status == 200)
    }
  }

  @Test func `of ten requests at once with one token, one succeeds`() async throws {
    try await withImport { server in
      let request = try request(claims())
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 1...10 { group.addTask { try await server.call(request).status } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses.filter { $0 == 200 }.count == 1)
    }
  }

  @Test(
    arguments: [
      ("iss", "https://securetoken.google.com/other-app"), ("iss", "https://accounts.google.com"),
      ("aud", "other-app"), ("auth_time", .null), ("auth_time", 1_780_000_000), ("firebase", .null),
      ("firebase", ["sign_in_provider": "google.com", "tenant": "a-tenant"]), ("firebase", [:]),
      ("sub", ""),
    ] as [(String, JSONValue)])
  func `a token of another project, or with a wrong claim, is refused`(
    _ name: String, _ value: JSONValue
  ) async throws {
    try await withImport { server in
      let wrong = try await server.call(request(claims { $0[name] = value }))
      #expect(wrong.status == 400)
      #expect(wrong.error == "INVALID_ID_TOKEN")
      #expect(try await server.call(request(claims())).status == 200)
    }
  }

  @Test func `a token that another key signed is refused`() async throws {
    try await withImport { server in
      let forged = try request(claims(), signedBy: SharedKeys.signing.get())
      #expect(try await server.call(forged).error == "INVALID_ID_TOKEN")
    }
  }

  @Test(arguments: ["not a token", "", "a.b.c"])
  func `what isn't a token is refused`(text: String) async throws {
    try await withImport { server in
      let reply = try await server.call(
        .accounts("signInWithFirebaseToken", ["token": .string(text)]))
      #expect(reply.error == "INVALID_ID_TOKEN")
      let none = try await server.call(.accounts("signInWithFirebaseToken", [:]))
      #expect(none.error == "MISSING_ID_TOKEN")
    }
  }

  @Test func `an expired token has its own error, so that the app gets a fresh one`() async throws {
    try await withImport { server in
      server.clock.advance(seconds: 3600 + 120)
      let expired = try await server.call(request(claims()))
      #expect(expired.error == "TOKEN_EXPIRED")
    }
  }

  @Test(arguments: [
    ("", "2026-12-31", "OPERATION_NOT_ALLOWED"), ("old-app", "", "OPERATION_NOT_ALLOWED"),
    ("old-app", "2026-05-27", "TOKEN_EXPIRED"),
  ])
  func `without a project, and after the last day, no token is accepted`(
    _ project: String, _ until: String, _ error: String
  ) async throws {
    try await withImport { server in
      try await change(server) {
        $0.policies.firebaseSessions.project = project
        $0.policies.firebaseSessions.until = until
      }
      let refused = try await server.call(request(claims()))
      #expect(refused.error?.hasPrefix(error) == true)
      // The server's date is 2026-05-28.
      try await change(server) {
        $0.policies.firebaseSessions.project = "old-app"
        $0.policies.firebaseSessions.until = "2026-05-28"
      }
      #expect(try await server.call(request(claims())).status == 200)
    }
  }

  @Test func `if Google's keys can't be fetched, the token isn't used up`() async throws {
    try await withImport { server in
      server.providers.silence(
        "https://www.googleapis.com/service_accounts/v1/jwk/"
          + "securetoken@system.gserviceaccount.com")
      let request = try request(claims())
      let unreached = try await server.call(request)
      #expect(
        unreached.error
          == "INVALID_IDP_RESPONSE : Error connecting to the given credential's issuer.")
      server.providers.silence(nil)
      server.clock.advance(seconds: 60)
      #expect(try await server.call(request).status == 200)
    }
  }

  @Test func `a user without an account is refused, unless the user is anonymous`() async throws {
    try await withImport { server in
      let known = try request(claims(uid: "somebody-else"))
      #expect(try await server.call(known).error == "USER_NOT_FOUND")
      let guest = claims(uid: "a-guest", by: "anonymous")
      let made = try await server.call(request(guest))
      #expect(made["isNewUser"] == true)
      #expect(made.claims()["sub"] == "a-guest")
      #expect(made.claims()["provider_id"] == "anonymous")
      // Another device of the guest.
      var other = guest
      other["iat"] = .number(JSONNumber(1_779_999_000))
      let again = try await server.call(request(other))
      #expect(again["isNewUser"] == false)
    }
  }

  @Test func `anonymous users are refused where anonymous accounts aren't allowed`() async throws {
    try await withImport { server in
      try await change(server) { $0.policies.allowsAnonymous = false }
      let guest = try request(claims(uid: "a-guest", by: "anonymous"))
      #expect(try await server.call(guest).error == "ADMIN_ONLY_OPERATION")
    }
  }

  @Test func `an account that wasn't imported isn't opened`() async throws {
    try await withImport { server in
      _ = try await server.call(
        .admin(.post, "v1/projects/demo/accounts", ["localId": "made-here"]))
      let request = try request(claims(uid: "made-here"))
      #expect(try await server.call(request).error == "TOKEN_EXPIRED")
    }
  }

  @Test func `a disabled account isn't opened`() async throws {
    try await withImport { server in
      _ = try await server.call(
        .admin(
          .post, "v1/projects/demo/accounts:update",
          ["localId": .string(Self.uid), "disableUser": true]))
      #expect(try await server.call(request(claims())).error == "USER_DISABLED")
    }
  }

  /// A thief with a session at Firebase must not come back through it, even with a new sign-in there.
  @Test func `after the account's sessions were ended here, a session at Firebase opens nothing`()
    async throws
  {
    try await withImport { server in
      server.clock.advance(seconds: 100)
      let revoked = Int64(server.clock.now.timeIntervalSince1970)
      _ = try await server.call(
        .admin(
          .post, "v1/projects/demo/accounts:update",
          ["localId": .string(Self.uid), "validSince": .string("\(revoked)")]))
      server.clock.advance(seconds: 100)
      let later = claims {
        $0["auth_time"] = .number(JSONNumber(revoked + 50))
        $0["iat"] = .number(JSONNumber(revoked + 60))
      }
      #expect(try await server.call(request(later)).error == "TOKEN_EXPIRED")
      // Nor after another import.
      try await importUser(on: server, overwriting: true)
      #expect(try await server.call(request(later)).error == "TOKEN_EXPIRED")
    }
  }

  @Test(arguments: [#"{"role":"editor"}"#, "{}", #"{"role":"reader"}"#])
  func `a session with a claim that the account doesn't have opens nothing`(claims own: String)
    async throws
  {
    try await withImport { server in
      _ = try await server.call(
        .admin(
          .post, "v1/projects/demo/accounts:update",
          ["localId": .string(Self.uid), "customAttributes": .string(own)]))
      let isSame = own == #"{"role":"editor"}"#
      let reply = try await server.call(request(claims { $0["role"] = "editor" }))
      #expect(reply.error == (isSame ? nil : "TOKEN_EXPIRED"))
      // A claim that was added here restricts nothing.
      let without = try await server.call(request(claims()))
      #expect(without.status == 200)
    }
  }

  @Test func `a second import keeps the sessions at Firebase`() async throws {
    try await withImport { server in
      server.clock.advance(seconds: 100)
      try await importUser(on: server, overwriting: true)
      #expect(try await server.call(request(claims())).status == 200)
    }
  }
}
