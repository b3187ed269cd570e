import GatehouseServer
import GatehouseProtocol
import GatehouseTokens
import TestStores
import Testing

@Suite struct PostgresConnectionTests {
  @Test func `without a server the reason is named, and no password`() throws {
    let address = try PostgresAddress("postgresql://gatehouse:made-up-secret@127.0.0.1:1/postgres")
    let error = #expect(throws: StoreError.self) {
      try PostgresStore.open(address, sealing: PlainSealer())
    }
    #expect("\(error, default: "")".hasPrefix("no connection to PostgreSQL: "))
    #expect(!"\(error, default: "")".contains("made-up-secret"))
    #expect(address.name == "postgres at 127.0.0.1")
  }

  @Test func `an operation whose connection was lost runs on another one`() async throws {
    try await withSchema { cluster, schema, url in
      let store = try PostgresStore.open(
        try address(url + "&application_name=\(schema)"), sealing: PlainSealer())
      _ = try await store.changeCounter()
      try cluster.rows(
        """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = '\(schema.prefix(63))'
        """)
      #expect(try await store.changeCounter() == 0)
      await store.close()
    }
  }

  @Test func `a text with a zero character is refused, and the connection stays`() async throws {
    try await withSchema { _, _, url in
      let store = try PostgresStore.open(try address(url), sealing: PlainSealer())
      await #expect(throws: StoreError.zeroCharacter) {
        try await store.write { try $0.setServerValue("a\u{0}b", to: [1]) }
      }
      try await store.write { try $0.setServerValue("ab", to: [0, 1, 255]) }
      #expect(try await store.read { try $0.serverValue("ab") } == [0, 1, 255])
      #expect(try await store.read { try $0.serverValue("a") } == nil)
      await store.close()
    }
  }

  /// With one for each account, a page would take seconds over a network.
  @Test func `a page of accounts takes one round trip, however many there are`() async throws {
    try await withSchema { _, _, url in
      let store = try PostgresStore.open(try address(url), sealing: PlainSealer())
      let project = try #require(ProjectID("my-app"))
      let count = 300
      try await store.write { transaction in
        try transaction.save(
          Project(
            id: project, number: 1, displayName: "A project", issuer: "https://id.example.com/a",
            authorizedDomains: [], policies: .development))
        for number in 0..<count {
          var account = Account(
            uid: try #require(UID("user-\(number)")), createdAt: .init(timeIntervalSince1970: 0))
          account.identities = [
            LinkedIdentity(
              provider: .google, subject: try #require(Subject("subject-\(number)")),
              linkedAt: .init(timeIntervalSince1970: 0))
          ]
          try transaction.save(account, in: project)
        }
      }
      // The project's key is known afterwards.
      _ = try await store.read { try $0.accountCount(in: project) }
      let before = store.roundTrips
      let page = try await store.read {
        try $0.accounts(after: nil, limit: 1000, in: project)
      }
      #expect(page.count == count)
      #expect(page.allSatisfy { $0.identities.count == 1 })
      #expect(store.roundTrips == before + 1)
      await store.close()
    }
  }
}
