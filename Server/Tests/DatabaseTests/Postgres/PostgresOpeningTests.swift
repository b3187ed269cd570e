import Foundation
import GRDB
import GatehouseServer
import TestStores
import Testing

@Suite struct PostgresOpeningTests {
  @Test func `no released migration has changed`() {
    // A difference here means that a released file was edited: add a new one instead.
    #expect(
      Migration.ofPostgres.map { "\($0.name) \($0.checksum)" } == [
        "initial -610994100763110046"
      ])
  }

  @Test(arguments: ["read%5C%20committed", "serializable"])
  func `ten servers that start at once migrate once, whatever the default isolation level is`(
    _ level: String
  ) async throws {
    try await withSchema { cluster, schema, plainURL in
      // After the option that the URL of a schema ends with.
      let url = plainURL + "%20-cdefault_transaction_isolation%3D" + level
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 1...10 {
          group.addTask {
            let store = try PostgresStore.open(try address(url), sealing: PlainSealer())
            await store.close()
          }
        }
        try await group.waitForAll()
      }
      let steps = try cluster.rows("SELECT number FROM \(schema).schema_migrations")
      #expect(steps == Migration.ofPostgres.map { ["\($0.number)"] })
    }
  }

  @Test func `a store knows its database's clock, which isn't that of the transaction`()
    async throws
  {
    try await withSchema { _, _, url in
      let store = try PostgresStore.open(try address(url), sealing: PlainSealer())
      let before = Date()
      let time = try #require(try await store.databaseTime())
      let later = try PostgresStore.time(try address(url))
      // The database runs on this machine, and counts microseconds.
      #expect(time >= before - 0.001)
      #expect(later > time)
      #expect(later <= Date() + 0.001)
      await store.close()
    }
  }

  @Test func `records are read without a migration, and nothing is written`() async throws {
    try await withSchema { cluster, schema, url in
      let place = try address(url)
      let early = try PostgresStore.records(at: place, sealing: PlainSealer()) {
        try $0.projects().count
      }
      #expect(early == nil)
      #expect(try PostgresStore.missingSteps(place) == nil)
      await (try PostgresStore.open(place, sealing: PlainSealer())).close()
      let count = try PostgresStore.records(at: place, sealing: PlainSealer()) {
        try $0.projects().count
      }
      #expect(count == 0)
      #expect(throws: StoreError.readOnly) {
        try PostgresStore.records(at: place, sealing: PlainSealer()) {
          try $0.setServerValue("a", to: [1])
        }
      }
      #expect(try PostgresStore.serverValues(place)?["a"] == nil)
    }
  }

  @Test(arguments: [
    (
      "INSERT INTO schema_migrations VALUES (9999, 'later', 0, 0)",
      "the database is of a newer version (step 9999): run that version of gatehouse"
    ),
    (
      "UPDATE schema_migrations SET checksum = 1",
      "the database was created by another build (step 1 differs): run the build that created it"
    ),
  ])
  func `tables of another version are refused`(_ change: String, _ reason: String) async throws {
    try await withSchema { cluster, schema, url in
      await (try PostgresStore.open(try address(url), sealing: PlainSealer())).close()
      try PostgresStore.script(change, at: try address(url))
      #expect(throws: StoreError.damaged(reason)) {
        try PostgresStore.open(try address(url), sealing: PlainSealer())
      }
    }
  }

  private static let addColumn = """
    ALTER TABLE server_values ADD COLUMN of_the_next_version text;
    UPDATE server_values SET of_the_next_version = 'from ' || name
    """

  /// Makes tables of this version with one row.
  private func makeTables(at place: PostgresAddress) async throws {
    let store = try PostgresStore.open(place, sealing: PlainSealer())
    try await store.write { try $0.setServerValue("a", to: [1]) }
    await store.close()
  }

  @Test func `ten servers of the next version apply its migration once, and keep the rows`()
    async throws
  {
    try await withSchema { cluster, schema, url in
      let place = try address(url)
      try await makeTables(at: place)
      try await Migration.withNextOfPostgres(Self.addColumn) {
        #expect(try PostgresStore.missingSteps(place) == 1)
        let early = try PostgresStore.records(at: place, sealing: PlainSealer()) {
          try $0.projects().count
        }
        #expect(early == nil)
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 1...10 {
            group.addTask {
              await (try PostgresStore.open(place, sealing: PlainSealer())).close()
            }
          }
          try await group.waitForAll()
        }
        #expect(try PostgresStore.migrate(place) == [])
      }
      let steps = try cluster.rows(
        "SELECT number, is_expansion FROM \(schema).schema_migrations ORDER BY number")
      let numbers = 1...(Migration.ofPostgres.count + 1)
      #expect(steps == numbers.map { ["\($0)", "1"] })
      let values = try cluster.rows("SELECT of_the_next_version FROM \(schema).server_values")
      #expect(values == [["from a"]])
    }
  }

  @Test func `an interrupted migration leaves the tables as they were`() async throws {
    try await withSchema { cluster, schema, url in
      let place = try address(url)
      try await makeTables(at: place)
      try await Migration.withNextOfPostgres(Self.addColumn + "; DELETE FROM no_such_table") {
        let failure = #expect(throws: StoreError.self) { try PostgresStore.migrate(place) }
        #expect(failure != nil)
      }
      let steps = try cluster.rows("SELECT number FROM \(schema).schema_migrations")
      #expect(steps == Migration.ofPostgres.map { ["\($0.number)"] })
      let columns = try cluster.rows(
        """
        SELECT column_name FROM information_schema.columns
        WHERE table_schema = '\(schema)' AND table_name = 'server_values'
        """)
      #expect(!columns.contains(["of_the_next_version"]))
      await (try PostgresStore.open(place, sealing: PlainSealer())).close()
    }
  }

  @Test(arguments: [true, false])
  func `this version opens the tables of the next one only if that one added what it doesn't use`(
    _ isExpansion: Bool
  ) async throws {
    try await withSchema { _, _, url in
      let place = try address(url)
      try await makeTables(at: place)
      try await Migration.withNextOfPostgres(Self.addColumn, isExpansion: isExpansion) {
        let names = try PostgresStore.migrate(place)
        #expect(names == ["next"])
      }
      if isExpansion {
        await (try PostgresStore.open(place, sealing: PlainSealer())).close()
      } else {
        #expect(
          throws: StoreError.damaged(
            "the database is of a newer version (step \(Migration.ofPostgres.count + 1)): run that "
              + "version of gatehouse")
        ) { try PostgresStore.open(place, sealing: PlainSealer()) }
      }
    }
  }

  @Test func `a server of this version opens the tables that a newer one only expanded`()
    async throws
  {
    try await withSchema { cluster, schema, url in
      let before = try PostgresStore.open(try address(url), sealing: PlainSealer())
      try PostgresStore.script(
        """
        ALTER TABLE accounts ADD COLUMN of_the_next_version text;
        INSERT INTO schema_migrations VALUES (9999, 'later', 0, 1)
        """, at: try address(url))
      try await before.write { try $0.setServerValue("a", to: [1]) }
      let after = try PostgresStore.open(try address(url), sealing: PlainSealer())
      #expect(try await after.read { try $0.serverValue("a") } == [1])
      await before.close()
      await after.close()
    }
  }

  /// A column that one engine has and the other lacks fails here, not at the first request.
  @Test func `both engines have the same tables and columns`() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("gatehouse-\(UUID().uuidString)", isDirectory: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let sqlite = try SQLiteStore.open(at: folder, sealing: PlainSealer())
    await sqlite.close()
    let file = try DatabaseQueue(
      path: folder.appendingPathComponent(SQLiteStore.fileName).path)
    let expected = try await file.read { database in
      try String.fetchAll(
        database,
        sql: """
          SELECT m.name || '.' || c.name || ' ' ||
            CASE c.type WHEN 'INTEGER' THEN 'bigint' WHEN 'BLOB' THEN 'bytea' ELSE 'text' END
            || CASE WHEN c."notnull" OR c.pk THEN ' not null' ELSE '' END
          FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS c
          WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%'
            AND m.name NOT IN ('schema_migrations', 'account_counts')
          """)
    }
    try await withSchema { cluster, schema, url in
      await (try PostgresStore.open(try address(url), sealing: PlainSealer())).close()
      let found = try cluster.rows(
        """
        SELECT table_name || '.' || column_name || ' ' || data_type
          || CASE is_nullable WHEN 'NO' THEN ' not null' ELSE '' END
        FROM information_schema.columns
        WHERE table_schema = '\(schema)'
          AND table_name NOT IN ('schema_migrations', 'account_counts')
        """
      ).map { $0[0] }
      #expect(found.sorted() == expected.sorted())
    }
  }
}
