import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct ProductionCallerTests {
  private static let key = "AIzaExample"

  private func with(_ body: (TestServer) async throws -> Void) async throws {
    try await TestServer.with(.production) { server in
      for name in ["demo", "other"] {
        let id = try #require(ProjectID(name))
        try await server.store.write { transaction in
          try transaction.save(
            Project(
              id: id, number: 1, issuer: "https://auth.example.com/\(name)", authorizedDomains: [],
              policies: .development))
          try transaction.insert(APIKey(text: Self.key + name, project: id))
        }
      }
      try await body(server)
    }
  }

  private func keyed(_ key: String) -> TestRequest {
    .accounts("signUp").with { $0.key = key }
  }

  @Test func `a key names its project, an unknown one is refused`() async throws {
    try await with { server in
      let reply = try await server.call(keyed(Self.key + "demo"))
      #expect(reply.claims()["aud"] == "demo")
      #expect(reply.claims()["iss"] == "https://auth.example.com/demo")
      let unknown = try await server.call(keyed("unknown"))
      #expect(unknown.status == 400)
      #expect(unknown.error == "API key not valid. Please pass a valid API key.")
    }
  }

  @Test func `an administrator's key is valid only for its project, until it expires`() async throws
  {
    try await with { server in
      let project = try #require(ProjectID("demo"))
      let expiry = TestServer.start.addingTimeInterval(60)
      let (secret, _) = try await server.services.adminKeys.create(
        for: project, expiresAt: expiry, now: TestServer.start)
      func create(in name: String, with key: String) async throws -> TestReply {
        try await server.call(
          .admin(.post, "v1/projects/\(name)/accounts", [:]).with { $0.bearer = key })
      }
      let key = secret.reveal()
      #expect(try await create(in: "demo", with: key).status == 200)
      let elsewhere = try await create(in: "other", with: key)
      #expect(elsewhere.status == 403)
      #expect(elsewhere.errorStatus == "PERMISSION_DENIED")
      #expect(
        elsewhere.error?.hasPrefix("INSUFFICIENT_PERMISSION : The credential is valid") == true)
      #expect(try await create(in: "other", with: key + "x").status == 401)
      server.clock.advance(seconds: 60)
      #expect(try await create(in: "demo", with: key).status == 401)
      #expect(try await create(in: "other", with: key).status == 401)
    }
  }

  @Test func `the emulator's token and paths have no effect`() async throws {
    try await with { server in
      let owner = try await server.call(
        .admin(.post, "v1/projects/demo/accounts", [:]).with { _ in })
      #expect(owner.status == 401)
      let clear = try await server.call(.admin(.delete, "emulator/v1/projects/demo/accounts"))
      #expect(clear.status == 404)
    }
  }

  @Test func `a project isn't created when it is named`() async throws {
    try await with { server in
      let (secret, _) = try await server.services.adminKeys.create(
        for: nil, expiresAt: nil, now: TestServer.start)
      let reply = try await server.call(
        .admin(.post, "v1/projects/another/accounts", [:]).with { $0.bearer = secret.reveal() })
      #expect(reply.status == 404)
      #expect(reply.error == "PROJECT_NOT_FOUND")
    }
  }
}
