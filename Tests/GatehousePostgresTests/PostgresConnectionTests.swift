import GatehouseAccounts
import GatehousePostgres
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
}
