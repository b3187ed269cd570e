@testable import GatehouseServer
import TestStores
import Testing

@Suite struct PostgresTransactionTests {
  private func withConnection(
    _ body: (_ connection: PostgresConnection, _ shared: PostgresShared, _ url: String) throws ->
      Void
  ) async throws {
    try await withSchema { _, _, url in
      let place = try address(url)
      _ = try PostgresStore.migrate(place)
      let shared = PostgresShared()
      try body(try PostgresConnection(place, shared: shared), shared, url)
    }
  }

  private static let insert = "INSERT INTO server_values VALUES ('a', '\\x00')"
  private static let count = "UPDATE change_counter SET value = value + 1"

  /// Otherwise the transaction wouldn't run again.
  @Test func `a failure after a handled conflict is the one that counts`() async throws {
    try await withConnection { connection, _, url in
      connection.begin(.write, savesEachStatement: true)
      try connection.execute(Self.insert, []) { _ in }
      #expect(throws: StoreError.conflict(.other)) {
        try connection.execute(Self.insert, []) { _ in }
      }
      let other = try PostgresConnection(try address(url))
      other.begin(.write, savesEachStatement: false)
      try other.execute(Self.count, []) { _ in }
      try other.commit()
      #expect(throws: StoreError.self) { try connection.execute(Self.count, []) { _ in } }
      #expect(connection.failure?.state == "40001")
    }
  }

  @Test func `a connection that was given up isn't used again`() async throws {
    try await withConnection { connection, _, _ in
      #expect(connection.isUsable)
      // The server had to answer a while ago.
      connection.begin(.write, savesEachStatement: false, until: .now - .seconds(10))
      #expect(throws: StoreError.self) { try connection.execute("SELECT 1", []) { _ in } }
      #expect(!connection.isUsable)
    }
  }

  /// Otherwise the operation would fail instead of running again on another connection.
  @Test func `a connection that is lost in a rollback after a conflict counts as lost`()
    async throws
  {
    try await withConnection { connection, _, url in
      connection.begin(.write, savesEachStatement: false)
      var process: Int64 = 0
      try connection.execute("SELECT pg_backend_pid()", []) { process = $0.integer(0) }
      try connection.execute(Self.insert, []) { _ in }
      #expect(throws: StoreError.conflict(.other)) {
        try connection.execute(Self.insert, []) { _ in }
      }
      _ = try PostgresStore.rows("SELECT pg_terminate_backend(\(process))", at: try address(url))
      #expect(throws: StoreError.self) { try connection.rollBack() }
      #expect(connection.failure?.isConnectionLost == true)
      #expect(!connection.isUsable)
    }
  }

  @Test func `the commit of a transaction in which a statement failed is an error`() async throws {
    try await withConnection { connection, _, _ in
      connection.begin(.write, savesEachStatement: false)
      try connection.execute(Self.insert, []) { _ in }
      #expect(throws: StoreError.self) { try connection.execute("SELECT 1 / 0", []) { _ in } }
      #expect(
        throws: StoreError.unavailable(
          "PostgreSQL: the transaction was rolled back instead of committed (40000)")
      ) { try connection.commit() }
    }
  }

  @Test func `the time limits cost no round trip, and end with the transaction`() async throws {
    try await withConnection { connection, shared, _ in
      connection.begin(.read, savesEachStatement: false, until: .now + .seconds(3))
      var isLimited = false
      try connection.execute(
        """
        SELECT current_setting('statement_timeout')::interval BETWEEN '1 ms' AND '3 s'
          AND current_setting('idle_in_transaction_session_timeout') = '5s'
        """, []
      ) { isLimited = $0.integer(0) == 1 }
      #expect(isLimited)
      connection.endReading()
      #expect(shared.roundTrips == 1)
      try connection.script(Self.leakCheck)
      connection.begin(.write, savesEachStatement: false)
      try connection.send(Self.insert, [])
      try connection.commit()
      #expect(shared.roundTrips == 2)
      try connection.script(Self.leakCheck)
    }
  }

  /// The lock of a whole table would conflict with each transaction that writes to the table.
  @Test func `a transaction that reads a row of a small table locks no table`() async throws {
    try await withConnection { connection, _, _ in
      connection.begin(.write, savesEachStatement: false)
      try connection.execute(Self.insert, []) { _ in }
      try connection.commit()
      connection.begin(.write, savesEachStatement: false)
      var rows = 0
      try connection.execute(
        "SELECT value FROM server_values WHERE name = ?", [.text("a")]
      ) { _ in rows += 1 }
      #expect(rows == 1)
      var tables: [String] = []
      var locks = 0
      try connection.execute(
        """
        SELECT locktype, relation::regclass::text FROM pg_locks
        WHERE mode = 'SIReadLock' AND pid = pg_backend_pid()
        """, []
      ) {
        locks += 1
        if try $0.text(0) == "relation" { tables.append(try $0.text(1)) }
      }
      #expect(locks > 0)
      #expect(tables == [])
      try connection.rollBack()
    }
  }

  @Test(
    .enabled(if: PostgresPooler.isInstalled, "PgBouncer isn't installed: apt-get install pgbouncer")
  )
  func `nothing is left on a pooled connection, not by a copy either`() async throws {
    let pooler = try await PostgresPooler.start(connections: 1)
    defer { pooler.end() }
    let place = try address(pooler.url)
    let store = try PostgresStore.open(place, sealing: PlainSealer())
    try await store.write { try $0.setServerValue("a", to: [1]) }
    try PostgresStore.script(Self.leakCheck, at: place)
    await store.close()
    try PostgresStore.withCopyEnd(at: place) { end in
      try end.transaction {}
      _ = try end.columns(of: SQLTable.all[0])
    }
    try PostgresStore.script(Self.leakCheck, at: place)
  }

  private static let leakCheck = """
    DO $$ BEGIN
      IF current_setting('statement_timeout') <> '0'
        OR current_setting('idle_in_transaction_session_timeout') <> '0'
        OR current_setting('lock_timeout') <> '0'
        OR current_setting('enable_seqscan') <> 'on'
      THEN RAISE EXCEPTION 'a limit is left'; END IF;
    END $$
    """

  /// A project may have been deleted, and created again with another key.
  @Test func `a project's key that was read before a change isn't remembered after it`() {
    let shared = PostgresShared()
    shared.look(at: 1)
    let generation = shared.keyGeneration
    shared.look(at: 2)
    shared.remember(["my-app": 1], readIn: generation)
    #expect(shared.key(ofProject: "my-app") == nil)
    shared.remember(["my-app": 2], readIn: shared.keyGeneration)
    #expect(shared.key(ofProject: "my-app") == 2)
    shared.look(at: 2)
    #expect(shared.key(ofProject: "my-app") == 2)
  }

  @Test(arguments: ["25006", "0A000"])
  func `another connection is made by the state, in any language`(_ state: String) {
    let failure = PostgresFailure(state: state, message: "im Hot-Standby-Modus", constraint: nil)
    #expect(failure.needsAnotherConnection)
  }
}
