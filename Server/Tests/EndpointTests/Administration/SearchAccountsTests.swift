import GatehouseProtocol
import GatehouseServer
import Testing

@Suite struct SearchAccountsTests {
  private func search(
    _ server: TestServer, _ body: JSONValue, project: String = "demo", key: String = "owner"
  ) async throws -> TestReply {
    try await server.call(
      .admin(.post, "v2/projects/\(project)/accounts:search", body).with { $0.bearer = key })
  }

  private func uids(_ reply: TestReply) -> [String] {
    reply["users"]?.array?.compactMap { $0["localId"]?.string } ?? []
  }

  private func withAccounts(_ body: (TestServer) async throws -> Void) async throws {
    try await TestServer.with { server in
      let users: JSONValue = [
        [
          "localId": "a", "email": "anna@example.com", "displayName": "Anna Schmidt",
          "createdAt": "1000", "lastLoginAt": "9000", "rawPassword": "notasecret",
          "customAttributes": #"{"role":"editor"}"#,
        ],
        [
          "localId": "b", "email": "berta@example.com", "phoneNumber": "+15555550100",
          "createdAt": "86400000", "emailVerified": true, "disabled": true,
          "providerUserInfo": [["providerId": "google.com", "rawId": "42"]],
        ],
        ["localId": "c", "displayName": "Zoë", "createdAt": "172800000"],
      ]
      let reply = try await server.call(
        .admin(
          .post, "v1/projects/demo/accounts:batchCreate",
          ["users": users]))
      #expect(reply["error"] == nil, "\(reply.text)")
      try await body(server)
    }
  }

  static let searches: [(JSONValue, [String])] = [
    ([:], ["a", "b", "c"]), (["query": ""], ["a", "b", "c"]), (["query": .null], ["a", "b", "c"]),
    (["query": "SCHMIDT"], ["a"]), (["query": "zoe"], ["c"]), (["query": "5550100"], ["b"]),
    (["query": "example.com", "filter": ["disabled": false]], ["a"]),
    (["query": "nobody"], []), (["filter": [:]], ["a", "b", "c"]),
    (["filter": ["providerIds": ["google.com", "password"]]], ["a", "b"]),
    (["filter": ["provider_ids": "phone"]], ["b"]), (["filter": ["emailVerified": true]], ["b"]),
    (["filter": ["emailVerified": false]], ["a"]),
    (["filter": ["createdAfter": "1970-01-02T00:00:00Z"]], ["b", "c"]),
    (["filter": ["createdBefore": "1970-01-02T00:00:00.000Z"]], ["a"]),
    (["filter": ["createdBefore": "1970-01-02T02:00:00+02:00"]], ["a"]),
    (["filter": ["signedInAfter": "1970-01-01T00:00:09Z"]], ["a"]),
    (["filter": ["signedInBefore": "1970-01-01T00:00:09Z"]], []),
    (["filter": ["claim": ["name": "role", "value": "editor"]]], ["a"]),
    (["filter": ["claim": ["name": "role", "value": true]]], []),
    (["filter": ["hasSecondFactor": false, "deletionScheduled": false]], ["a", "b", "c"]),
    (["filter": ["hasSecondFactor": true]], []), (["filter": ["deletionScheduled": true]], []),
    (["query": "\u{0}\u{7}\n"], ["a", "b", "c"]), (["query": "a\u{0}b"], []),
    (["query": "\u{1F468}\u{200D}\u{1F469}"], []), (["query": "a\u{301}nna"], ["a"]),
  ]

  @Test(arguments: searches) func `accounts are found by words and by a filter`(
    body: JSONValue, expected: [String]
  ) async throws {
    try await withAccounts { server in
      let reply = try await search(server, body)
      #expect(reply.status == 200)
      #expect(uids(reply) == expected)
      #expect(reply["nextPageToken"] == nil)
    }
  }

  private static let time = "is a time such as 2027-01-31T12:00:00Z."
  static let refusals: [(JSONValue, String)] = [
    (["pageSize": 0], "pageSize is a number from 1 to 100."),
    (["pageSize": 101], "pageSize is a number from 1 to 100."),
    (["query": .string(String(repeating: "a", count: 257))], "query has at most 256 bytes."),
    (["query": .string(String(repeating: "a ", count: 17))], "query has at most 16 words."),
    (["pageToken": "x"], "INVALID_PAGE_SELECTION"),
    (
      ["filter": ["providerIds": ["google com"]]],
      "filter.providerIds holds provider ids such as google.com."
    ),
    (
      ["filter": ["providerIds": .array(Array(repeating: "google.com", count: 11))]],
      "filter.providerIds has at most 10 providers."
    ),
    (["filter": ["createdAfter": "yesterday"]], "filter.createdAfter \(time)"),
    (["filter": ["createdBefore": "2027-01-31"]], "filter.createdBefore \(time)"),
    (["filter": ["signedInAfter": 1000]], "filter.signedInAfter \(time)"),
    (["filter": ["signedInBefore": "2027-13-31T12:00:00Z"]], "filter.signedInBefore \(time)"),
    (["filter": ["claim": ["name": "role"]]], "filter.claim needs a name and a value."),
    (["filter": ["claim": ["value": 1]]], "filter.claim needs a name and a value."),
    (
      ["filter": ["claim": ["name": "role", "value": []]]],
      "filter.claim.value is a text, a number or a boolean."
    ),
    (
      ["filter": ["email": "a@example.com"]],
      "Invalid JSON payload received. Unknown name \"filter.email\": Cannot find field."
    ),
    (["limit": 1], "Invalid JSON payload received. Unknown name \"limit\": Cannot find field."),
  ]

  @Test(arguments: refusals) func `an invalid search is refused`(
    body: JSONValue, error: String
  ) async throws {
    try await withAccounts { server in
      let reply = try await search(server, body)
      #expect(reply.status == 400)
      #expect(reply.error == error)
    }
  }

  @Test func `pages follow each other while users come and go`() async throws {
    try await withAccounts { server in
      let first = try await search(server, ["query": "example", "pageSize": 1])
      #expect(uids(first) == ["a"])
      let token = try #require(first["nextPageToken"])
      let deleted = try await server.call(
        .admin(.post, "v1/projects/demo/accounts:delete", ["localId": "a"]))
      #expect(deleted.status == 200)
      let second = try await search(
        server, ["query": "example", "pageSize": 1, "pageToken": token])
      #expect(uids(second) == ["b"])
    }
  }

  @Test func `a token of another project is refused`() async throws {
    try await withAccounts { server in
      let first = try await search(server, ["pageSize": 1])
      let token = try #require(first["nextPageToken"])
      let reply = try await search(server, ["pageSize": 1, "pageToken": token], project: "other")
      #expect(reply.status == 400)
      #expect(reply.error == "INVALID_PAGE_SELECTION")
    }
  }

  @Test func `another project's accounts aren't found`() async throws {
    try await withAccounts { server in
      for body: JSONValue in [
        [:], ["query": "anna"], ["query": "42"], ["filter": ["disabled": true]],
      ] {
        let reply = try await search(server, body, project: "other")
        #expect(reply.status == 200)
        #expect(uids(reply) == [])
      }
    }
  }

  @Test func `a viewer may search and sees no password hash, a client may not`() async throws {
    try await withAccounts { server in
      let demo = try #require(ProjectID("demo"))
      let (viewer, _) = try await server.services.adminKeys.create(
        for: demo, role: .viewer, expiresAt: nil, now: TestServer.start)
      let reply = try await search(server, ["query": "anna"], key: viewer.reveal())
      #expect(uids(reply) == ["a"])
      let user = reply["users"]?.array?.first
      #expect(user?["passwordHash"] == "UkVEQUNURUQ=")
      #expect(user?["providerUserInfo"]?.array?.first?["providerId"] == "password")
      let client = try await server.call(
        TestRequest("/v2/projects/demo/accounts:search", [:]))
      #expect(client.status == 401)
      let other = try await search(server, [:], project: "other", key: viewer.reveal())
      #expect(other.status == 403)
    }
  }
}
