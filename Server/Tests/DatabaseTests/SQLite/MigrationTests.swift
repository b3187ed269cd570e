import Foundation
import GRDB
import GatehouseServer
import GatehouseProtocol
import TestStores
import Testing

/// A database is migrated once, and keeps its rows. The next version's migrations are made up.
@Suite struct MigrationTests {
  private static let addColumn = """
    ALTER TABLE accounts ADD COLUMN of_the_next_version TEXT;
    UPDATE accounts SET of_the_next_version = 'from ' || uid
    """

  @Test func `the next migrations are applied once, in order, and keep the rows`() async throws {
    try await withFolder { folder in
      try await makeStore(with: "alice", in: folder)
      let names = try await Migration.withNextOfSQLite(Self.addColumn) {
        // Needs the one before.
        try await Migration.withNextOfSQLite(
          "CREATE INDEX of_the_next_version ON accounts (of_the_next_version)"
        ) {
          let names = try [
            SQLiteStore.migrate(at: folder), SQLiteStore.migrate(at: folder),
          ]
          let store = try SQLiteStore.open(at: folder, sealing: TaggingSealer())
          let project = try projectID()
          let account = try await store.read { try $0.account(#require(UID("alice")), in: project) }
          #expect(account?.email?.text == "alice@example.com")
          await store.close()
          return names
        }
      }
      #expect(names == [["next", "next"], []])
      #expect(try await steps(folder) == Self.released(and: 2))
      #expect(try await rows(folder, "SELECT of_the_next_version FROM accounts") == ["from alice"])
    }
  }

  @Test func `an interrupted migration leaves the tables as they were`() async throws {
    try await withFolder { folder in
      try await makeStore(with: "alice", in: folder)
      let before = try await schema(folder)
      await #expect(throws: StoreError.self) {
        try await Migration.withNextOfSQLite(Self.addColumn + "; DELETE FROM no_such_table") {
          try SQLiteStore.migrate(at: folder)
        }
      }
      #expect(try await schema(folder) == before)
      #expect(try await steps(folder) == Self.released(and: 0))
      await (try SQLiteStore.open(at: folder, sealing: TaggingSealer())).close()
      // It can be repeated.
      let names = try await Migration.withNextOfSQLite(Self.addColumn) {
        try SQLiteStore.migrate(at: folder)
      }
      #expect(names == ["next"])
    }
  }

  @Test func `processes that open a database at the same time migrate it once`() async throws {
    try await withFolder { folder in
      try await makeStore(with: "alice", in: folder)
      try await Migration.withNextOfSQLite(Self.addColumn) {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 1...4 {
            group.addTask {
              await (try SQLiteStore.open(at: folder, sealing: TaggingSealer())).close()
            }
          }
          try await group.waitForAll()
        }
      }
      #expect(try await steps(folder) == Self.released(and: 1))
    }
  }

  @Test func `no released migration has changed`() {
    // A difference here means that a released file was edited: add a new one instead.
    #expect(
      Migration.ofSQLite.map { "\($0.name) \($0.checksum)" } == ["initial -1275602957716536546"])
  }

  @Test func `opening again changes nothing`() async throws {
    try await withFolder { folder in
      await (try await openStore(folder)).close()
      let before = try await schema(folder)
      await (try await openStore(folder)).close()
      #expect(try await schema(folder) == before)
    }
  }

  @Test func `a database of a newer version is rejected`() async throws {
    try await withFolder { folder in
      try await makeStore(with: "alice", in: folder)
      try await Migration.withNextOfSQLite(Self.addColumn) {
        await (try SQLiteStore.open(at: folder, sealing: TaggingSealer())).close()
      }
      #expect(
        throws: StoreError.damaged(
          "the database is of a newer version (step \(Migration.ofSQLite.count + 1)): run that version "
            + "of gatehouse, or restore a backup made before the update")
      ) { try SQLiteStore.open(at: folder, sealing: TaggingSealer()) }
    }
  }

  @Test func `a database with other migrations is rejected`() async throws {
    try await withFolder { folder in
      await (try await openStore(folder)).close()
      try await execute(folder, "UPDATE schema_migrations SET checksum = checksum + 1")
      #expect(
        throws: StoreError.damaged(
          "the database was created by another build (step 1 differs): run the build that "
            + "created it, or restore a backup")
      ) { try SQLiteStore.open(at: folder, sealing: TaggingSealer()) }
    }
  }

  @Test func `server values can be read before the migration`() async throws {
    try await withFolder { folder in
      try await makeStore(with: "alice", in: folder)
      try await execute(folder, "INSERT INTO server_values VALUES ('mode', x'646576')")
      let before = try Data(contentsOf: URL(fileURLWithPath: databasePath(folder)))
      try await Migration.withNextOfSQLite(Self.addColumn) {
        let values = try SQLiteStore.serverValues(at: folder)
        #expect(values == ["mode": Array("dev".utf8)])
        #expect(try Data(contentsOf: URL(fileURLWithPath: databasePath(folder))) == before)
        await (try SQLiteStore.open(at: folder, sealing: TaggingSealer())).close()
        #expect(try SQLiteStore.serverValues(at: folder) == ["mode": Array("dev".utf8)])
      }
    }
  }

  @Test func `records are read only if no migration is missing, and nothing is written`()
    async throws
  {
    try await withFolder { folder in
      try await makeStore(with: "alice", in: folder)
      let before = try Data(contentsOf: URL(fileURLWithPath: databasePath(folder)))
      let file = DatabaseFile(in: folder)
      try await Migration.withNextOfSQLite(Self.addColumn) {
        let projects = try file.records(sealing: TaggingSealer()) { try $0.projects().count }
        #expect(projects == nil)
        #expect(try file.missingSteps() == 1)
        #expect(try Data(contentsOf: URL(fileURLWithPath: databasePath(folder))) == before)
        await (try SQLiteStore.open(at: folder, sealing: TaggingSealer())).close()
        let migrated = try file.records(sealing: TaggingSealer()) { try $0.projects().count }
        #expect(migrated == 1)
        #expect(throws: StoreError.readOnly) {
          try file.records(sealing: TaggingSealer()) { try $0.setServerValue("a", to: [1]) }
        }
        #expect(try SQLiteStore.serverValues(at: folder)?["a"] == nil)
      }
    }
  }

  @Test func `a missing database and one without tables have no server values`() async throws {
    try await withFolder { folder in
      #expect(try SQLiteStore.serverValues(at: folder) == nil)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data().write(to: URL(fileURLWithPath: databasePath(folder)))
      #expect(try SQLiteStore.serverValues(at: folder) == nil)
    }
  }

  @Test func `another program's database is rejected unchanged`() async throws {
    try await withFolder { folder in
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let other = try connect(folder)
      try await other.write { try $0.execute(sql: "CREATE TABLE notes (text TEXT)") }
      try other.close()
      let before = try Data(contentsOf: URL(fileURLWithPath: databasePath(folder)))
      #expect(
        throws: StoreError.damaged(
          "the file is not a Gatehouse database: name another folder, or move the file away")
      ) { try SQLiteStore.serverValues(at: folder) }
      #expect(try Data(contentsOf: URL(fileURLWithPath: databasePath(folder))) == before)
    }
  }

  /// A closed store with an account.
  private func makeStore(with uid: String, in folder: URL) async throws {
    let store = try await openStore(folder)
    let project = try projectID()
    var account = Account(
      uid: try #require(UID(uid)), createdAt: Date(timeIntervalSince1970: 1_700_000_000))
    account.email = EmailAddress("\(uid)@example.com")
    try await store.write { [account] in try $0.save(account, in: project) }
    await store.close()
  }

  private func steps(_ folder: URL) async throws -> [String] {
    try await rows(folder, "SELECT number FROM schema_migrations ORDER BY number")
  }

  /// The numbers of this version's steps, and of as many later ones.
  private static func released(and later: Int) -> [String] {
    (1...(Migration.ofSQLite.count + later)).map { "\($0)" }
  }

  private func rows(_ folder: URL, _ sql: String) async throws -> [String] {
    let database = try connect(folder)
    defer { try? database.close() }
    return try await database.read { try String.fetchAll($0, sql: sql) }
  }

  private func execute(_ folder: URL, _ sql: String) async throws {
    let database = try connect(folder)
    try await database.write { try $0.execute(sql: sql) }
    try database.close()
  }

  private func schema(_ folder: URL) async throws -> [String] {
    let database = try connect(folder)
    defer { try? database.close() }
    return try await database.read {
      try String.fetchAll($0, sql: "SELECT sql FROM sqlite_schema WHERE sql NOT NULL ORDER BY name")
    }
  }
}
