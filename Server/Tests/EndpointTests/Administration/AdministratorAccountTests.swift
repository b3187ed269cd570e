import GatehouseProtocol
import Testing

@Suite struct AdministratorAccountTests {
  private static let accounts = "v1/projects/demo/accounts"

  struct Row: Sendable, CustomTestStringConvertible {
    let method: String
    let body: JSONValue
    let error: String
    var testDescription: String { "\(method) \(error)" }

    init(_ method: String, _ body: JSONValue, _ error: String) {
      (self.method, self.body, self.error) = (method, body, error)
    }
  }

  static let refusals: [Row] = [
    Row("", ["localId": "u"], "DUPLICATE_LOCAL_ID"),
    Row("", ["email": "ada@example.com"], "EMAIL_EXISTS"),
    Row("", ["localId": "v", "idToken": "x"], "UNEXPECTED_PARAMETER : User ID"),
    Row(
      "", ["idToken": "x"],
      "OPERATION_NOT_ALLOWED : An administrator can't upgrade an account with its idToken."),
    Row("", ["phoneNumber": "+15555550100"], "PHONE_NUMBER_EXISTS"),
    Row("", ["phoneNumber": "5555550100"], "INVALID_PHONE_NUMBER : Invalid format."),
    Row(
      "", ["localId": .string(String(repeating: "u", count: 257))],
      "INVALID_LOCAL_ID : A user id has 1 to 256 bytes and no control characters."),
    Row(
      "", ["displayName": .string(String(repeating: "x", count: 257))],
      "INVALID_PROFILE_ATTRIBUTE : Display name too long."),
    Row(":update", ["displayName": "x"], "MISSING_LOCAL_ID"),
    Row(":update", ["localId": "none", "validSince": 1_611_780_718], "USER_NOT_FOUND"),
    Row(":update", ["localId": "u", "customAttributes": "{nope"], "INVALID_CLAIMS"),
    Row(":update", ["localId": "u", "customAttributes": "[]"], "INVALID_CLAIMS"),
    Row(":update", ["localId": "u", "customAttributes": #"{"iat":1}"#], "FORBIDDEN_CLAIM : iat"),
    Row(
      ":update",
      [
        "localId": "u",
        "customAttributes": .string(#"{"a":""# + String(repeating: "x", count: 1000)),
      ],
      "CLAIMS_TOO_LARGE"),
    Row(
      ":update", ["localId": "u", "linkProviderUserInfo": ["rawId": "x"]], "MISSING_PROVIDER_ID"),
    Row(
      ":update", ["localId": "u", "linkProviderUserInfo": ["providerId": "google.com"]],
      "MISSING_RAW_ID"),
    Row(
      ":update",
      ["localId": "u", "linkProviderUserInfo": ["providerId": "password", "rawId": "x"]],
      "INVALID_PROVIDER_ID"),
    Row(
      ":update",
      [
        "localId": "u",
        "linkProviderUserInfo": [
          "providerId": "google.com", "rawId": "x",
          "photoUrl": .string(String(repeating: "x", count: 2049)),
        ],
      ], "INVALID_PROFILE_ATTRIBUTE : Photo URL too long."),
    Row(
      ":update", ["localId": "u", "validSince": 9_223_372_036_854_775_807],
      "validSince isn't a time in seconds."),
    Row(
      ":update", ["localId": "u", "createdAt": "1"],
      "OPERATION_NOT_ALLOWED : createdAt can't be changed."),
    Row(":update", ["localId": "u", "email": ""], "INVALID_EMAIL"),
    Row(
      ":update", ["localId": "u", "displayName": "\u{0}"],
      "INVALID_PROFILE_ATTRIBUTE : Display name has control characters."),
    Row(":update", ["localId": "none", "password": "1"], "USER_NOT_FOUND"),
    Row(":lookup", [:], "MISSING_ID_TOKEN"),
    Row(":delete", [:], "MISSING_LOCAL_ID"), Row(":delete", ["localId": "none"], "USER_NOT_FOUND"),
    Row(":batchDelete", ["localIds": []], "LOCAL_ID_LIST_EXCEEDS_LIMIT"),
    Row(
      ":batchDelete", ["localIds": .array((0...1000).map { .string("u\($0)") })],
      "LOCAL_ID_LIST_EXCEEDS_LIMIT"),
  ]

  private func make(_ server: TestServer) async throws {
    let reply = try await server.call(
      .admin(
        .post, Self.accounts,
        [
          "localId": "u", "email": "Ada@Example.com", "password": "secret1", "displayName": "A",
          "emailVerified": true, "phoneNumber": "+1 555-555 0100",
        ]
      ).with { _ in })
    #expect(reply["localId"] == "u")
    #expect(reply["email"] == "ada@example.com")
    #expect(reply["idToken"] == nil)
  }

  @Test(arguments: refusals) func `each refusal has its code`(_ row: Row) async throws {
    try await TestServer.with { server in
      try await make(server)
      let reply = try await server.call(
        .admin(.post, Self.accounts + row.method, row.body).with { _ in })
      #expect(reply.status == 400)
      #expect(reply.error == row.error)
    }
  }

  @Test func `an account is found in four ways, and listed once`() async throws {
    try await TestServer.with { server in
      try await make(server)
      _ = try await server.call(
        .admin(
          .post, Self.accounts + ":update",
          ["localId": "u", "linkProviderUserInfo": ["providerId": "google.com", "rawId": "g"]]
        ).with { _ in })
      let reply = try await server.call(
        .admin(
          .post, Self.accounts + ":lookup",
          [
            "localId": ["u", "none"], "email": ["ADA@example.com"],
            "phoneNumber": ["+15555550100"],
            "federatedUserId": [["providerId": "google.com", "rawId": "g"]],
          ]
        ).with { _ in })
      #expect(reply["users"]?.array?.count == 1)
      let providers = reply["users"]?.array?.first?["providerUserInfo"]?.array ?? []
      #expect(providers.map { $0["providerId"] } == ["google.com", "phone", "password"])
      for selector: JSONValue in [
        ["phoneNumber": ["+1 (555) 555-0100"]],
        ["federatedUserId": [["providerId": "phone", "rawId": "+15555550100"]]],
      ] {
        let byNumber = try await server.call(
          .admin(.post, Self.accounts + ":lookup", selector).with { _ in })
        #expect(byNumber["users"]?.array?.map { $0["localId"] } == ["u"])
      }
      let none = try await server.call(
        .admin(.post, Self.accounts + ":lookup", ["localId": ["none"]]).with { _ in })
      #expect(none["users"] == nil)
      #expect(none["kind"] == "identitytoolkit#GetAccountInfoResponse")
    }
  }

  @Test func `members that are always sent are present even if empty or false`() async throws {
    try await TestServer.with { server in
      let made = try await server.call(
        .admin(.post, Self.accounts, ["localId": "bare"]).with { _ in })
      #expect(made["email"] == "")
      let found = try await server.call(
        .admin(.post, Self.accounts + ":lookup", ["localId": ["bare"]]).with { _ in })
      #expect(found["users"]?.array?.first?["disabled"] == false)
      let kept = try await server.call(
        .admin(.post, Self.accounts + ":batchDelete", ["localIds": ["bare"]]).with { _ in })
      #expect(kept["errors"]?.array?.first?["index"] == 0)
      let none = try await server.call(
        TestRequest.admin(.get, Self.accounts + ":batchGet").with { $0.query = "maxResults=0" })
      #expect(none.text == #"{"kind":"identitytoolkit#DownloadAccountResponse"}"#)
    }
  }

  @Test func `claims are returned as they were sent`() async throws {
    try await TestServer.with { server in
      try await make(server)
      for text in [#"{ "role" : "admin" }"#, "{}"] {
        _ = try await server.call(
          .admin(
            .post, Self.accounts + ":update",
            ["localId": "u", "customAttributes": .string(text)]
          ).with { _ in })
        let found = try await server.call(
          .admin(.post, Self.accounts + ":lookup", ["localId": ["u"]]).with { _ in })
        #expect(found["users"]?.array?.first?["customAttributes"] == .string(text))
      }
    }
  }

  @Test func `the lists of supported providers and of accounts have Google's older paths too`()
    async throws
  {
    try await TestServer.with { server in
      try await make(server)
      let counted = try await server.call(
        .admin(.post, "v1/projects/demo:queryAccounts", ["returnUserInfo": false]).with { _ in })
      #expect(counted["recordsCount"] == "1")
      let supported = try await server.call(
        TestRequest.admin(.get, "v2/defaultSupportedIdps").with { _ in })
      #expect(supported["defaultSupportedIdps"]?.array?.isEmpty == false)
    }
  }

  @Test func `claims are in the next token, and empty ones remove them`() async throws {
    try await TestServer.with { server in
      try await make(server)
      func claims(_ text: JSONValue) async throws -> JSONValue? {
        _ = try await server.call(
          .admin(.post, Self.accounts + ":update", ["localId": "u", "customAttributes": text])
            .with { _ in })
        let signIn = try await server.call(
          .accounts("signInWithPassword", ["email": "ada@example.com", "password": "secret1"]))
        return signIn.claims()["role"]
      }
      #expect(try await claims(#"{"role":"admin"}"#) == "admin")
      #expect(try await claims("{}") == nil)
    }
  }

  @Test func `a disabled account can't sign in but can be changed`() async throws {
    try await TestServer.with { server in
      try await make(server)
      let update = { (body: JSONValue) in
        try await server.call(.admin(.post, Self.accounts + ":update", body).with { _ in })
      }
      _ = try await update(["localId": "u", "disableUser": true])
      let signIn = try await server.call(
        .accounts("signInWithPassword", ["email": "ada@example.com", "password": "secret1"]))
      #expect(signIn.error == "USER_DISABLED")
      #expect(try await update(["localId": "u", "displayName": "B"])["displayName"] == "B")
    }
  }

  @Test func `accounts are paged and deleted in one go`() async throws {
    try await TestServer.with { server in
      for name in ["a", "b", "c"] {
        _ = try await server.call(
          .admin(.post, Self.accounts, ["localId": .string(name)]).with { _ in })
      }
      func page(_ query: String) async throws -> TestReply {
        try await server.call(
          TestRequest.admin(.get, Self.accounts + ":batchGet").with { $0.query = query })
      }
      let first = try await page("maxResults=2")
      #expect(first["users"]?.array?.map { $0["localId"] } == ["a", "b"])
      #expect(first["nextPageToken"] == "b")
      let second = try await page("maxResults=2&nextPageToken=b")
      #expect(second["users"]?.array?.map { $0["localId"] } == ["c"])
      #expect(second["nextPageToken"] == nil)
      let snake = try await page("max_results=1&next_page_token=a")
      #expect(snake["users"]?.array?.map { $0["localId"] } == ["b"])
      let tenants = try await page("tenantId=t")
      #expect(tenants.error == "UNSUPPORTED_TENANT_OPERATION")
      let wrong = try await page("maxResults=two")
      #expect(wrong.status == 400)
      #expect(wrong.error == "Invalid value at 'maxResults' (TYPE_INT64)")
      let delete = { (body: JSONValue) in
        try await server.call(.admin(.post, Self.accounts + ":batchDelete", body).with { _ in })
      }
      let kept = try await delete(["localIds": ["none", "a"]])
      #expect(kept["errors"]?.array?.first?["index"] == 1)
      #expect(
        kept["errors"]?.array?.first?["message"]
          == "NOT_DISABLED : Disable the account before batch deletion.")
      #expect(try await delete(["localIds": ["none", "a"], "force": true]).text == "{}")
      _ = try await server.call(.admin(.delete, "emulator/v1/projects/demo/accounts"))
      #expect(try await page("")["users"] == nil)
    }
  }

  @Test func `a project is created when an administrator names it, and projects stay separate`()
    async throws
  {
    try await TestServer.with { server in
      let create = TestRequest.admin(.post, "v1/projects/other/accounts", ["localId": "u"])
      #expect(try await server.call(create.with { _ in }).status == 200)
      let lookup = TestRequest.admin(.post, Self.accounts + ":lookup", ["localId": ["u"]])
      #expect(try await server.call(lookup.with { _ in })["users"] == nil)
      let byBody = try await server.call(
        .accounts("lookup", ["localId": ["u"], "targetProjectId": "other"]).with {
          $0.key = nil
          $0.bearer = "owner"
        })
      #expect(byBody["users"]?.array?.count == 1)
    }
  }
}
