import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct DeleteTests {
  private func signUp(_ server: TestServer) async throws -> TestReply {
    try await server.call(
      .accounts("signUp", ["email": "ada@example.com", "password": "secret1"]))
  }

  @Test func `the answer has Google's kind and a receipt`() async throws {
    try await TestServer.with { server in
      let ada = try await signUp(server)
      let reply = try await server.call(
        .accounts("delete", ["idToken": ada["idToken"] ?? .null]))
      #expect(reply["kind"] == "identitytoolkit#DeleteAccountResponse")
      #expect(reply.claims("receipt")["deletion"]?["state"] == "erased")
      #expect(reply["deletionScheduledFor"] == nil)
    }
  }

  @Test func `an administrator gets a receipt too`() async throws {
    try await TestServer.with { server in
      let ada = try await signUp(server)
      let reply = try await server.call(
        .admin(.post, "v1/projects/demo/accounts:delete", ["localId": ada["localId"] ?? .null]))
      let deletion = reply.claims("receipt")["deletion"]
      #expect(deletion?["requested_by"] == "administrator")
    }
  }

  @Test func `a receipt is refused in place of an ID token`() async throws {
    try await TestServer.with { server in
      let ada = try await signUp(server)
      let deleted = try await server.call(
        .accounts("delete", ["idToken": ada["idToken"] ?? .null]))
      let reply = try await server.call(
        .accounts("lookup", ["idToken": deleted["receipt"] ?? .null]))
      #expect(reply.error == "INVALID_ID_TOKEN")
    }
  }

  @Test func `with a grace period the answer says until when the user can come back`()
    async throws
  {
    try await TestServer.with { server in
      let ada = try await signUp(server)
      let id = try #require(ProjectID(TestServer.project))
      _ = try await server.services.projects.updateProject(id) {
        $0.policies.deletionGraceDays = 7
      }
      let reply = try await server.call(
        .accounts("delete", ["idToken": ada["idToken"] ?? .null]))
      #expect(reply["deletionScheduledFor"] == "1780604800000")
      let lookup = try await server.call(
        .admin(.post, "v1/projects/demo/accounts:lookup", ["localId": [ada["localId"] ?? .null]]))
      #expect(lookup["users"]?.array?.first?["deletionScheduledFor"] == "1780604800000")
    }
  }
}
