import GatehouseProtocol
import Testing

/// v3 `uploadAccount` and `downloadAccount`, which `firebase auth:import` and `auth:export` call;
/// and what an import accepts in place of a hash.
@Suite struct AccountFilesTests {
  private func call(
    _ server: TestServer, _ method: String, _ body: JSONObject
  ) async throws -> TestReply {
    var body = body
    body["targetProjectId"] = .string(TestServer.project)
    let path = "www.googleapis.com/identitytoolkit/v3/relyingparty/\(method)"
    return try await server.call(.admin(.post, path, .object(body)).with { _ in })
  }

  private func signIn(_ server: TestServer, _ name: String) async throws -> TestReply {
    try await server.call(
      .accounts(
        "signInWithPassword",
        ["email": .string("\(name)@example.com"), "password": "notasecret"]))
  }

  @Test func `uploadAccount imports accounts and downloadAccount exports them`() async throws {
    try await TestServer.with { server in
      let users: JSONValue = [
        ["localId": "a", "email": "a@example.com", "rawPassword": "notasecret"],
        ["localId": "b"], ["localId": "c"],
      ]
      let uploaded = try await call(server, "uploadAccount", ["users": users])
      #expect(uploaded.text == #"{"kind":"identitytoolkit#UploadAccountResponse"}"#)
      let first = try await call(server, "downloadAccount", ["maxResults": 2])
      #expect(first["kind"] == "identitytoolkit#DownloadAccountResponse")
      #expect(first["users"]?.array?.map { $0["localId"] } == ["a", "b"])
      let token = try #require(first["nextPageToken"])
      let rest = try await call(
        server, "downloadAccount", ["maxResults": 2, "nextPageToken": token])
      #expect(rest["users"]?.array?.map { $0["localId"] } == ["c"])
      #expect(rest["nextPageToken"] == nil)
      #expect(!first.text.contains("notasecret"))
      #expect(try await signIn(server, "a").status == 200)
    }
  }

  @Test func `the full role gets hashes with a list, with which the accounts move elsewhere`()
    async throws
  {
    let imported: JSONObject = [
      "hashAlgorithm": "HMAC_SHA256", "signerKey": "c2VjcmV0",
      "users": [
        [
          "localId": "imported", "email": "old@example.com", "salt": "c2FsdA==",
          "passwordHash": "sqtIK+BS3ukVOCkQl0kXS6Do1GDp4Q3EAw3yAx6UNkk=",
        ]
      ],
    ]
    var listed: [JSONValue] = []
    try await TestServer.with { server in
      _ = try await server.call(
        .accounts("signUp", ["email": "new@example.com", "password": "notasecret"]))
      _ = try await call(server, "uploadAccount", imported)
      for request in [
        TestRequest.admin(.get, "v1/projects/demo/accounts:batchGet"),
        .admin(
          .post, "www.googleapis.com/identitytoolkit/v3/relyingparty/downloadAccount",
          ["targetProjectId": "demo"]),
      ] {
        let reply = try await server.call(request)
        listed = reply["users"]?.array ?? []
        #expect(listed.count == 2)
        #expect(
          listed.allSatisfy { $0["passwordHash"] != nil && $0["passwordHash"] != "UkVEQUNURUQ=" })
        let old = try #require(listed.first { $0["localId"] == "imported" })
        #expect(old["passwordHash"] == "sqtIK+BS3ukVOCkQl0kXS6Do1GDp4Q3EAw3yAx6UNkk=")
        #expect(old["salt"] == "c2FsdA==")
        #expect(old["passwordHashParameters"]?["hashAlgorithm"] == "HMAC_SHA256")
        #expect(old["passwordHashParameters"]?["signerKey"] == "c2VjcmV0")
      }
      // A look-up never shows one, whoever asks.
      let found = try await server.call(
        .admin(.post, "v1/projects/demo/accounts:lookup", ["localId": ["imported"]]).with { _ in })
      let user = found["users"]?.array?.first
      #expect(user?["passwordHash"] == "UkVEQUNURUQ=")
      #expect(user?["salt"] == nil && user?["passwordHashParameters"] == nil)
    }
    let own = try #require(listed.first { $0["email"] == "new@example.com" })
    var moved = try #require(own["passwordHashParameters"]?.object)
    #expect(moved["hashAlgorithm"] == "STANDARD_SCRYPT")
    moved["users"] = [
      .object([
        "localId": "a", "email": "a@example.com", "passwordHash": own["passwordHash"] ?? .null,
        "salt": own["salt"] ?? .null,
      ])
    ]
    let upload = moved
    try await TestServer.with { server in
      _ = try await call(server, "uploadAccount", upload)
      #expect(try await signIn(server, "a").status == 200)
    }
  }

  @Test func `another role gets no hash`() async throws {
    try await TestServer.with { server in
      _ = try await server.call(
        .accounts("signUp", ["email": "a@example.com", "password": "notasecret"]))
      let key = try await server.services.adminKeys.create(
        for: server.demo, role: .viewer, expiresAt: nil, now: TestServer.start
      ).key.reveal()
      for request in [
        TestRequest.admin(.get, "v1/projects/demo/accounts:batchGet"),
        .admin(
          .post, "www.googleapis.com/identitytoolkit/v3/relyingparty/downloadAccount",
          ["targetProjectId": "demo"]),
      ] {
        let reply = try await server.call(request.with { $0.bearer = key })
        let user = reply["users"]?.array?.first
        #expect(user?["email"] == "a@example.com")
        #expect(user?["passwordHash"] == "UkVEQUNURUQ=")
        #expect(user?["salt"] == nil && user?["passwordHashParameters"] == nil)
      }
    }
  }

  @Test(arguments: ["uploadAccount", "downloadAccount"])
  func `a client may call neither`(method: String) async throws {
    try await TestServer.with { server in
      let reply = try await server.call(
        TestRequest("/www.googleapis.com/identitytoolkit/v3/relyingparty/\(method)", [:]))
      #expect(reply.status == 401)
    }
  }

  @Test func `the emulator's hash is accepted in development`() async throws {
    try await TestServer.with { server in
      let reply = try await call(
        server, "uploadAccount",
        [
          "users": [
            [
              "localId": "a", "email": "a@example.com", "salt": "fakeSaltabc",
              "passwordHash": "fakeHash:salt=fakeSaltabc:password=notasecret",
            ]
          ]
        ])
      #expect(reply.status == 200)
      #expect(reply["error"] == nil)
      #expect(try await signIn(server, "a").status == 200)
    }
  }

  /// The password before the salt, which is the default of Google's service; and the reverse.
  @Test(arguments: [
    "8VgjOzrpgL/hh8e7rOukk+Gsnf+Fhf96IUGbGTINfDk=",
    "pBT7xLqk1MCIepnbFQe4fugpS+9zs1I8Zb2afQRHHx4=",
  ]) func `an HMAC without a stated order is tried in both`(hash: String) async throws {
    try await TestServer.with { server in
      let reply = try await call(
        server, "uploadAccount",
        [
          "hashAlgorithm": "HMAC_SHA256",
          "signerKey": "ZmlyZWVtdS10ZXN0LXNpZ25lci1rZXktbm90LWEtc2VjcmV0LTAxMjM0NTY3ODk=",
          "users": [
            [
              "localId": "a", "email": "a@example.com", "salt": "c2FsdC12YWx1ZS0wMQ==",
              "passwordHash": .string(hash),
            ]
          ],
        ])
      #expect(reply["error"] == nil)
      let credentials: JSONObject = ["email": "a@example.com", "password": "password123"]
      let good = try await server.call(
        .accounts("signInWithPassword", .object(credentials)))
      #expect(good.status == 200)
      // The password is hashed anew, and stays valid.
      #expect(
        try await server.call(.accounts("signInWithPassword", .object(credentials))).status == 200)
      var wrong = credentials
      wrong["password"] = "password124"
      let bad = try await server.call(.accounts("signInWithPassword", .object(wrong)))
      #expect(bad.error == "INVALID_PASSWORD")
    }
  }
}
