import GatehouseProtocol
import Testing

@Suite struct BatchCreateTests {
  private static let path = "v1/projects/demo/accounts:batchCreate"

  private func create(_ server: TestServer, _ body: JSONValue) async throws -> TestReply {
    try await server.call(.admin(.post, Self.path, body).with { _ in })
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let body: JSONValue
    let error: String
    var testDescription: String { error }

    init(_ body: JSONValue, _ error: String) { (self.body, self.error) = (body, error) }
  }

  private static func two(
    _ first: JSONObject, _ second: JSONObject, _ more: JSONObject = [:]
  ) -> JSONValue {
    var body: JSONObject = ["users": [.object(first), .object(second)]]
    for member in more.members { body[member.name] = member.value }
    return .object(body)
  }

  static let refusals: [Row] = [
    Row(["users": []], "MISSING_USER_ACCOUNT"),
    Row(
      ["users": .array((0...1000).map { ["localId": .string("u\($0)")] })],
      "MAXIMUM_USER_COUNT_EXCEEDED : At most 1000 users at once."),
    Row(two(["localId": "a"], ["localId": "a"]), "DUPLICATE_LOCAL_ID : a"),
    Row(
      two(
        ["localId": "a", "email": "x@example.com"], ["localId": "b", "email": "X@Example.com"],
        ["sanityCheck": true]), "DUPLICATE_EMAIL : X@Example.com"),
    Row(
      two(
        ["localId": "a", "providerUserInfo": [["providerId": "google.com", "rawId": "r"]]],
        ["localId": "b", "providerUserInfo": [["providerId": "google.com", "rawId": "r"]]],
        ["sanityCheck": true]), "DUPLICATE_RAW_ID : Provider id(google.com), Raw id(r)"),
    Row(
      two(["localId": "a"], ["localId": "b"], ["hashAlgorithm": "ARGON2"]),
      "INVALID_HASH_ALGORITHM"),
    Row(
      two(["localId": "a"], ["localId": "b"], ["hashAlgorithm": "PBKDF2_SHA256"]),
      "INVALID_HASH_ROUNDS"),
    Row(
      two(
        ["localId": "a"], ["localId": "b"],
        ["hashAlgorithm": "SHA256", "rounds": 9_223_372_036_854_775_807]), "INVALID_HASH_ROUNDS"),
    Row(
      two(["localId": "a"], ["localId": "b"], ["hashAlgorithm": "HMAC_SHA256", "signerKey": "§"]),
      "EMPTY_HASH_KEY"),
    Row(
      two(["localId": "a"], ["localId": "b"], ["hashAlgorithm": "HMAC_SHA256"]), "EMPTY_HASH_KEY"),
    Row(
      two(
        ["localId": "a"], ["localId": "b"],
        ["hashAlgorithm": "SCRYPT", "signerKey": "AQID", "rounds": 8, "memoryCost": 15]),
      "INVALID_HASH_MEMORY_COSTS"),
    Row(
      two(
        ["localId": "a"], ["localId": "b"],
        ["hashAlgorithm": "SCRYPT", "signerKey": "AQID", "rounds": 9, "memoryCost": 14]),
      "INVALID_HASH_ROUNDS"),
    Row(
      two(
        ["localId": "a"], ["localId": "b"],
        [
          "hashAlgorithm": "STANDARD_SCRYPT", "cpuMemCost": 1024, "blockSize": 8,
          "parallelization": 1, "dkLen": 0,
        ]), "INVALID_HASH_PARAMETER"),
    Row(
      two(
        ["localId": "a"], ["localId": "b"],
        ["hashAlgorithm": "SHA256", "rounds": 1, "passwordHashOrder": "RANDOM"]),
      "Invalid value at 'passwordHashOrder' (TYPE_ENUM)"),
    Row(
      two(["localId": "a"], ["localId": "b", "passwordHash": "not base64!"]),
      "Invalid value at 'users[1].passwordHash' (TYPE_BYTES)"),
    Row(
      two(["localId": "a", "salt": "§"], ["localId": "b"]),
      "Invalid value at 'users[0].salt' (TYPE_BYTES)"),
    Row(
      [
        "users": .array((0...200).map { ["localId": .string("u\($0)"), "rawPassword": "secret1"] })
      ],
      "MAXIMUM_USER_COUNT_EXCEEDED : At most 200 users with a rawPassword at once."),
  ]

  @Test(arguments: refusals) func `the whole request is refused`(_ row: Row) async throws {
    try await TestServer.with { server in
      let reply = try await create(server, row.body)
      #expect(reply.status == 400)
      #expect(reply.error == row.error)
      let list = try await server.call(
        TestRequest.admin(.get, "v1/projects/demo/accounts:batchGet").with { _ in })
      #expect(list["users"] == nil)
    }
  }

  static let rows: [Row] = [
    Row(["email": "a@example.com"], "localId is missing"),
    Row(["localId": "owner"], "localId belongs to an existing account - can not overwrite."),
    Row(
      ["localId": "a", "email": "owner@example.com"], "email exists in other account in database"),
    Row(["localId": "a", "email": "nobody"], "email is invalid"),
    Row(["localId": "a", "phoneNumber": "5550100"], "phone number format is invalid"),
    Row(
      ["localId": "a", "phoneNumber": "+15555550100"],
      "phone number exists in other account in database"),
    Row(
      ["localId": "a", "providerUserInfo": [["providerId": "google.com", "rawId": "g"]]],
      "raw id exists in other account in database"),
    Row(
      ["localId": "a", "providerUserInfo": [["providerId": "google.com"]]],
      "federatedId or (providerId & rawId) is required"),
    Row(
      ["localId": "a", "providerUserInfo": [["rawId": "g"]]],
      "federatedId or (providerId & rawId) is required"),
    Row(
      [
        "localId": "a",
        "providerUserInfo": [
          ["providerId": "google.com", "federatedId": "https://accounts.google.com/1"]
        ],
      ], "federatedId alone isn't supported: providerId and rawId are required"),
    Row(
      ["localId": "a", "providerUserInfo": [["providerId": "anonymous", "rawId": "g"]]],
      "providerId is invalid"),
    Row(
      ["localId": "a", "customAttributes": #"{"iss":1}"#],
      "Custom claims provided include a reserved claim."),
    Row(["localId": "a", "customAttributes": "[]"], "Invalid custom claims provided."),
    Row(
      ["localId": "a", "customAttributes": .string(String(repeating: " ", count: 1001))],
      "Custom claims provided are too large."),
    Row(
      ["localId": "a", "passwordHash": "AQID"],
      "passwordHash is given, but the request names no hashAlgorithm"),
    Row(
      ["localId": "a", "rawPassword": .string(String(repeating: "x", count: 4097))],
      "rawPassword is too long"),
    Row(
      ["localId": "a", "tenantId": "t"],
      "Tenant id in userInfo does not match the tenant id in request."),
    Row(
      ["localId": "a", "mfaInfo": [["totpInfo": [:], "mfaEnrollmentId": "x"]]],
      "mfaInfo has an authenticator app, whose secret can't be imported: its user has to enroll it again"
    ),
    Row(
      ["localId": "a", "mfaInfo": [["phoneInfo": "5555550101"]]],
      "mfaInfo has a phone number, name or time that is invalid, or more than 5 factors"),
    Row(["localId": "a", "createdAt": "1780000000001"], "createdAt is in the future"),
    Row(["localId": "a", "lastLoginAt": "-1"], "lastLoginAt is invalid"),
    Row(
      ["localId": "a", "displayName": .string(String(repeating: "x", count: 257))],
      "displayName or photoUrl is too long or has control characters"),
    Row(
      ["localId": "a", "photoUrl": "https://example.com/\u{7}"],
      "displayName or photoUrl is too long or has control characters"),
  ]

  @Test(arguments: rows) func `a row is refused, and the one after it imported`(
    _ row: Row
  ) async throws {
    try await TestServer.with { server in
      let owner: JSONValue = [
        "localId": "owner", "email": "owner@example.com", "phoneNumber": "+15555550100",
        "providerUserInfo": [["providerId": "google.com", "rawId": "g"]],
      ]
      #expect(try await create(server, ["users": [owner]])["error"] == nil)
      let reply = try await create(server, ["users": [row.body, ["localId": "next"]]])
      #expect(reply.status == 200)
      #expect(reply["kind"] == "identitytoolkit#UploadAccountResponse")
      #expect(reply["error"] == [["index": 0, "message": .string(row.error)]])
      let found = try await server.call(
        .admin(.post, "v1/projects/demo/accounts:lookup", ["localId": ["next", "a"]]).with { _ in })
      #expect(found["users"]?.array?.map { $0["localId"] } == ["next"])
    }
  }

  @Test func `an imported row appears in lookup unchanged, without its hash`() async throws {
    try await TestServer.with { server in
      // 32 bytes, in the URL-safe alphabet and without padding.
      let hash = String(repeating: "_", count: 42) + "8"
      let reply = try await create(
        server,
        [
          "hashAlgorithm": "HMAC_SHA256", "signerKey": "c2VjcmV0",
          "users": [
            [
              "localId": "u", "email": "Ann@Example.com", "emailVerified": true, "salt": "c2FsdA==",
              "passwordHash": .string(hash), "createdAt": "1500000000123",
              "lastLoginAt": 1_500_000_001_000, "customAttributes": #"{"role":"x"}"#,
              "providerUserInfo": [
                ["providerId": "password", "rawId": "ann@example.com"],
                ["providerId": "facebook.com", "rawId": "f", "email": "f@example.com"],
              ],
            ]
          ],
        ])
      #expect(reply["error"] == nil)
      let found = try await server.call(
        .admin(.post, "v1/projects/demo/accounts:lookup", ["localId": ["u"]]).with { _ in })
      let user = found["users"]?.array?.first
      #expect(user?["email"] == "ann@example.com" && user?["emailVerified"] == true)
      #expect(user?["createdAt"] == "1500000000123" && user?["lastLoginAt"] == "1500000001000")
      #expect(user?["customAttributes"] == #"{"role":"x"}"#)
      #expect(user?["passwordHash"] == "UkVEQUNURUQ=" && user?["salt"] == nil)
      let providers = user?["providerUserInfo"]?.array ?? []
      #expect(providers.map { $0["providerId"] } == ["facebook.com", "password"])
      #expect(!found.text.contains(hash))
    }
  }

  @Test func `overwriting replaces the whole account`() async throws {
    try await TestServer.with { server in
      _ = try await create(
        server, ["users": [["localId": "u", "email": "u@example.com", "displayName": "U"]]])
      let reply = try await create(
        server, ["users": [["localId": "u", "displayName": "New"]], "allowOverwrite": true])
      #expect(reply["error"] == nil)
      let found = try await server.call(
        .admin(.post, "v1/projects/demo/accounts:lookup", ["localId": ["u"]]).with { _ in })
      #expect(found["users"]?.array?.first?["displayName"] == "New")
      #expect(found["users"]?.array?.first?["email"] == nil)
    }
  }

  @Test func `only an administrator may send a body of several megabytes`() async throws {
    try await TestServer.with { server in
      let users = (0..<1000).map { number -> JSONValue in
        [
          "localId": .string("u\(number)"),
          "photoUrl": .string("https://example.com/" + String(repeating: "x", count: 2000)),
        ]
      }
      let request = TestRequest.admin(.post, Self.path, ["users": .array(users)])
      let stranger = request.with { $0.bearer = "nobody" }
      let refused = try await server.call(stranger)
      #expect(refused.status == 401)
      let taken = try await server.call(request.with { _ in })
      #expect(taken.status == 200)
      let other = TestRequest.admin(
        .post, "v1/projects/demo/accounts:lookup", ["users": .array(users)])
      let elsewhere = try await server.call(other.with { _ in })
      #expect(elsewhere.status == 413)
    }
  }
}
