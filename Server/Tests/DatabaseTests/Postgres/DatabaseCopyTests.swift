import Foundation
import GRDB
import GatehouseServer
import TestStores
import Testing

/// A copy between the engines. `PostgresCommandTests` copies a production database with the command.
@Suite struct DatabaseCopyTests {
  private func fill(_ folder: URL, values: Int) async throws {
    let store = try SQLiteStore.open(at: folder, sealing: PlainSealer())
    try await store.write { transaction in
      for number in 0..<values {
        try transaction.setServerValue("value/\(number)", to: Array("\(number)".utf8))
      }
      try transaction.setServerValue("server/a", to: [1])
    }
    await store.close()
  }

  private func copy(
    _ folder: URL, to url: String, name: String = "source", progress: () -> Void = {}
  ) throws -> Int {
    try SQLiteStore.withCopyEnd(at: folder) { source in
      try PostgresStore.withCopyEnd(at: try address(url)) { target in
        try DatabaseCopy(from: source, named: name, to: target).run { _, _, _ in progress() }.rows
      }
    }
  }

  /// A table that the list lacks would silently stay behind.
  @Test func `every table is in the list, behind those that it refers to`() async throws {
    try await withSchema { cluster, schema, url in
      await (try PostgresStore.open(try address(url), sealing: PlainSealer())).close()
      let tables = try cluster.rows(
        "SELECT table_name FROM information_schema.tables WHERE table_schema = '\(schema)'"
      ).map { $0[0] }
      let kept = ["schema_migrations", "account_counts", "change_counter"]
      #expect(tables.filter { !kept.contains($0) }.sorted() == SQLTable.all.map(\.name).sorted())
      let references = try cluster.rows(
        """
        SELECT c.conrelid::regclass::text, c.confrelid::regclass::text FROM pg_constraint AS c
        JOIN pg_namespace AS n ON n.oid = c.connamespace
        WHERE c.contype = 'f' AND n.nspname = '\(schema)'
        """
      ).map { $0.map { $0.replacing("\(schema).", with: "") } }
      #expect(references.count > 20)
      let places = Dictionary(
        uniqueKeysWithValues: SQLTable.all.enumerated().map { ($1.name, $0) })
      for reference in references where reference[0] != "account_counts" {
        let table = try #require(places[reference[0]])
        #expect(try #require(places[reference[1]]) < table, "\(reference)")
      }
    }
  }

  @Test func `pages of rows arrive, without what belongs to running servers`() async throws {
    try await withFolder { folder in
      try await fill(folder, values: 2500)
      try await withSchema { _, _, url in
        let rows = try copy(folder, to: url)
        #expect(rows == 2501)
        let store = try PostgresStore.open(try address(url), sealing: PlainSealer())
        let values = try await store.read { try $0.serverValues(withPrefix: "value/") }
        #expect(values.count == 2500)
        #expect(values["value/1234"] == Array("1234".utf8))
        #expect(try await store.read { try $0.serverValues(withPrefix: "server/") }.isEmpty)
        #expect(try await store.read { try $0.serverValue(DatabaseCopy.stateName) } == nil)
        await store.close()
      }
    }
  }

  @Test func `an interrupted copy continues, and that of another source is refused`() async throws {
    try await withFolder { folder in
      try await fill(folder, values: 10)
      try await withSchema { _, _, url in
        struct Interrupted: Error {}
        #expect(throws: (any Error).self) {
          try SQLiteStore.withCopyEnd(at: folder) { source in
            try PostgresStore.withCopyEnd(at: try address(url)) { target in
              try DatabaseCopy(from: Failing(source), named: "source", to: target)
                .run { _, _, _ in }
            }
          }
        }
        #expect(throws: DatabaseCopyFault.anotherCopy("source")) {
          try copy(folder, to: url, name: "another")
        }
        let rows = try copy(folder, to: url)
        #expect(rows == 11)
      }
    }
  }

  @Test func `a difference is found`() async throws {
    try await withFolder { folder in
      try await fill(folder, values: 10)
      try await withSchema { _, _, url in
        // A row that the source doesn't have.
        #expect(
          throws: DatabaseCopyFault.differs(table: "server_values", expected: 10, found: 11)
        ) {
          try copy(folder, to: url) {
            try? PostgresStore.script(
              "INSERT INTO server_values VALUES ('value/x', '\\x00') ON CONFLICT DO NOTHING",
              at: try address(url))
          }
        }
      }
    }
  }

  @Test func `a target with any row is refused`() async throws {
    try await withFolder { folder in
      try await fill(folder, values: 10)
      try await withSchema { _, _, url in
        await (try PostgresStore.open(try address(url), sealing: PlainSealer())).close()
        try PostgresStore.script(
          "INSERT INTO server_values VALUES ('value/x', '\\x00')", at: try address(url))
        #expect(throws: DatabaseCopyFault.notEmpty) { try copy(folder, to: url) }
      }
    }
  }

  @Test func `nothing can write to SQLite while it is copied`() async throws {
    try await withFolder { folder in
      try await fill(folder, values: 10)
      try await withSchema { _, _, url in
        let path = folder.appendingPathComponent(SQLiteStore.fileName).path
        var attempts: [Bool] = []
        let rows = try copy(folder, to: url) { attempts.append(Self.canWrite(toFile: path)) }
        #expect(rows == 11)
        #expect(!attempts.isEmpty && !attempts.contains(true))
        #expect(Self.canWrite(toFile: path))
      }
    }
  }

  @Test func `nothing can write to PostgreSQL while it is copied`() async throws {
    try await withFolder { folder in
      try await withSchema { _, _, url in
        let store = try PostgresStore.open(try address(url), sealing: PlainSealer())
        try await store.write { try $0.setServerValue("value/1", to: [1]) }
        await store.close()
        var attempts: [Bool] = []
        _ = try PostgresStore.withCopyEnd(at: try address(url)) { source in
          try SQLiteStore.withCopyEnd(at: folder) { target in
            try DatabaseCopy(from: source, named: "source", to: target).run { _, _, _ in
              attempts.append(Self.canWrite(to: url))
            }
          }
        }
        #expect(!attempts.isEmpty && !attempts.contains(true))
        #expect(Self.canWrite(to: url))
      }
    }
  }

  @Test func `a copy whose lock on the source was lost isn't complete`() async throws {
    try await withFolder { folder in
      try await withSchema { _, _, url in
        let store = try PostgresStore.open(try address(url), sealing: PlainSealer())
        try await store.write { try $0.setServerValue("value/1", to: [1]) }
        await store.close()
        #expect(throws: StoreError.self) {
          try PostgresStore.withCopyEnd(at: try address(url)) { source in
            try SQLiteStore.withCopyEnd(at: folder) { target in
              _ = try DatabaseCopy(from: source, named: "source", to: target).run(
                { _, _, _ in }, finalCheck: { try Self.endHolder(of: url) })
            }
          }
        }
        #expect(try SQLiteStore.serverValues(at: folder)?[DatabaseCopy.stateName] != nil)
      }
    }
  }

  /// Ends the connection that holds the tables.
  private static func endHolder(of url: String) throws {
    _ = try PostgresStore.rows(
      """
      SELECT pg_terminate_backend(pid, 10000) FROM pg_locks
      WHERE relation = 'accounts'::regclass AND mode = 'ShareLock'
      """, at: try address(url))
  }

  private static func canWrite(toFile path: String) -> Bool {
    (try? DatabaseQueue(path: path).write {
      try $0.execute(sql: "INSERT INTO server_values VALUES ('value/late', x'00')")
    }) != nil
  }

  private static func canWrite(to url: String) -> Bool {
    (try? PostgresStore.script(
      "SET lock_timeout = '20ms'; INSERT INTO server_values VALUES ('value/late', '\\x00')",
      at: try address(url))) != nil
  }

  /// Fails when the last table is read.
  private struct Failing: SQLCopyEnd {
    let end: any SQLCopyEnd

    init(_ end: any SQLCopyEnd) { self.end = end }

    var connection: any SQLConnection { end.connection }

    func columns(of table: SQLTable) throws -> [SQLTable.Column] {
      if table.name == "server_values" { throw StoreError.closed }
      return try end.columns(of: table)
    }

    func lastNumber(of table: SQLTable) throws -> Int64 { try end.lastNumber(of: table) }

    func setLastNumber(of table: SQLTable, to number: Int64) throws {
      try end.setLastNumber(of: table, to: number)
    }

    func transaction(_ body: () throws -> Void) throws { try end.transaction(body) }

    func withoutWriters<Result>(_ body: () throws -> Result) throws -> Result {
      try end.withoutWriters(body)
    }
  }
}
