import GatehouseProtocol
import Testing

@Suite struct QueryAccountsTests {
  private func query(_ server: TestServer, _ body: JSONValue) async throws -> TestReply {
    try await server.call(.admin(.post, "v1/projects/demo/accounts:query", body).with { _ in })
  }

  private func withAccounts(_ body: (TestServer) async throws -> Void) async throws {
    try await TestServer.with { server in
      let users: JSONValue = [
        [
          "localId": "b", "email": "z@example.com", "displayName": "Zoë", "createdAt": "1000",
          "lastLoginAt": "9000",
        ],
        [
          "localId": "a", "email": "y@example.com", "phoneNumber": "+15555550100",
          "displayName": "Ann", "createdAt": "3000",
        ],
        ["localId": "c", "createdAt": "2000", "lastLoginAt": "8000"],
      ]
      let reply = try await server.call(
        .admin(.post, "v1/projects/demo/accounts:batchCreate", ["users": users]).with { _ in })
      #expect(reply["error"] == nil)
      try await body(server)
    }
  }

  static let lists: [(JSONValue, [String])] = [
    ([:], ["a", "b", "c"]), (["order": "DESC"], ["c", "b", "a"]),
    (["sortBy": "USER_ID", "order": "ASC", "limit": "1", "offset": 1], ["b"]),
    (["sortBy": "CREATED_AT"], ["b", "c", "a"]), (["sortBy": 4], ["a", "c", "b"]),
    (["sortBy": "NAME", "order": "DESC"], ["b", "a", "c"]),
    (["sortBy": "USER_EMAIL", "offset": 1], ["a", "b"]), (["offset": 3], []),
    (["expression": [["email": "Z@example.com"]]], ["b"]),
    (["expression": [["phoneNumber": "+15555550100"]]], ["a"]),
    (["expression": [["userId": "c"], ["userId": "a"]]], ["c"]),
    (["expression": [["email": "nobody@example.com"]]], []),
    (["expression": [["phoneNumber": "+1 (555) 555-0100"]]], ["a"]),
    (["expression": [["phoneNumber": "5555550100"]]], []),
    (["expression": [[:]]], ["a", "b", "c"]), (["expression": [["email": ""]]], ["a", "b", "c"]),
    (["limit": 0], []), (["limit": "501"], ["a", "b", "c"]),
  ]

  @Test(arguments: lists) func `accounts come in the order asked for`(
    body: JSONValue, uids: [String]
  ) async throws {
    try await withAccounts { server in
      let reply = try await query(server, body)
      #expect(reply.status == 200)
      #expect(reply["recordsCount"] == .string("\(uids.count)"))
      let found = reply["userInfo"]?.array?.compactMap { $0["localId"]?.string }
      #expect(found == (uids.isEmpty ? nil : uids))
    }
  }

  @Test func `without the accounts they are counted`() async throws {
    try await withAccounts { server in
      let all = try await query(server, ["returnUserInfo": false])
      #expect(all.text == #"{"recordsCount":"3"}"#)
      let one = try await query(
        server, ["returnUserInfo": false, "expression": [["userId": "a"]]])
      #expect(one.text == #"{"recordsCount":"1"}"#)
    }
  }

  static let refusals: [(JSONValue, String)] = [
    (["limit": -1], "limit can't be negative."),
    (
      ["offset": 10_001],
      "offset has to be between 0 and 10000: list more accounts with accounts:batchGet."
    ),
    (["sortBy": "SHOE_SIZE"], "Invalid value at 'sortBy' (TYPE_ENUM)"),
    (["limit": 0, "order": "UP"], "Invalid value at 'order' (TYPE_ENUM)"),
  ]

  @Test(arguments: refusals) func `an invalid query is refused`(body: JSONValue, error: String)
    async throws
  {
    try await withAccounts { server in
      let reply = try await query(server, body)
      #expect(reply.status == 400)
      #expect(reply.error == error)
    }
  }

  @Test func `a thousand accounts can be sorted by any key, more only by their ids`() async throws {
    try await TestServer.with { server in
      func add(_ numbers: Range<Int>) async throws {
        let users = numbers.map { ["localId": .string("u\($0)")] as JSONValue }
        _ = try await server.call(
          .admin(.post, "v1/projects/demo/accounts:batchCreate", ["users": .array(users)])
            .with { _ in })
      }
      try await add(0..<1000)
      #expect(try await query(server, ["sortBy": "NAME", "limit": 2]).status == 200)
      try await add(1000..<1001)
      let refused = try await query(server, ["sortBy": "NAME", "limit": 2])
      #expect(
        refused.error
          == "INVALID_ARGUMENT : The project has too many accounts for this order. Sort by "
          + "USER_ID, or list them with accounts:batchGet.")
      #expect(try await query(server, ["offset": 999])["recordsCount"] == "2")
    }
  }
}
