import GatehouseProtocol
import Testing

/// Firebase shows the address before the first change of the address as `initialEmail`.
@Suite struct InitialEmailTests {
  @Test func `it is the address before the first change, and later changes keep it`() async throws {
    try await TestServer.with { server in
      var user = try await server.call(
        .accounts("signUp", ["email": "a@example.com", "password": "correct horse"]))
      #expect(try await initialEmail(user, server) == nil)
      for next in ["b@example.com", "c@example.com", "a@example.com"] {
        user = try await server.call(
          .accounts(
            "update",
            [
              "idToken": try #require(user["idToken"]), "email": .string(next),
              "returnSecureToken": true,
            ]))
        #expect(try await initialEmail(user, server) == "a@example.com")
      }
    }
  }

  @Test func `an administrator's change of the address sets it too`() async throws {
    try await TestServer.with { server in
      let user = try await server.call(
        .accounts("signUp", ["email": "a@example.com", "password": "correct horse"]))
      let localID = try #require(user["localId"])
      let changes: [(JSONValue, String?)] = [
        (["localId": localID, "displayName": "Ann"], nil),
        (["localId": localID, "email": "b@example.com"], "a@example.com"),
      ]
      for (change, expected) in changes {
        let changed = try await server.call(
          .admin(.post, "v1/projects/demo/accounts:update", change))
        #expect(changed.status == 200)
        let reply = try await server.call(
          .admin(.post, "v1/projects/demo/accounts:lookup", ["localId": [localID]]))
        #expect(reply["users"]?.array?.first?["initialEmail"]?.string == expected)
      }
    }
  }

  @Test func `a guest's first address has none before it`() async throws {
    try await TestServer.with { server in
      let guest = try await server.call(.accounts("signUp", ["returnSecureToken": true]))
      let user = try await server.call(
        .accounts(
          "update",
          [
            "idToken": try #require(guest["idToken"]), "email": "a@example.com",
            "password": "correct horse", "returnSecureToken": true,
          ]))
      #expect(user.status == 200)
      #expect(try await initialEmail(user, server) == nil)
    }
  }

  private func initialEmail(_ user: TestReply, _ server: TestServer) async throws -> String? {
    let reply = try await server.call(
      .accounts("lookup", ["idToken": try #require(user["idToken"])]))
    return try #require(reply["users"]?.array?.first)["initialEmail"]?.string
  }
}
