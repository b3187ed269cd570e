package import Foundation
import GRDB

/// A database file, without a store. Nothing is migrated or written, with one exception: if a server
/// crashed, SQLite copies the server's write-ahead log into the file. SQLite does so in any program
/// that opens the file.
package struct DatabaseFile: Sendable {
  package let path: String

  package init(_ path: String) { self.path = path }

  /// The file in a data folder.
  package init(in folder: URL) {
    path = folder.appendingPathComponent(SQLiteStore.fileName, isDirectory: false).path
  }

  /// - Throws: `StoreError.damaged` if the file is damaged, is not a Gatehouse database, has a newer
  ///   version, or was created by other migrations; `StoreError.unavailable` if it can't be read.
  package func facts() throws(StoreError) -> DatabaseFacts {
    try read { database in
      let missing = try Self.missingSteps(of: database)
      let values = try Row.fetchAll(database, sql: "SELECT name, value FROM server_values")
      return DatabaseFacts(
        missingSteps: missing,
        values: Dictionary(uniqueKeysWithValues: values.map { ($0[0], Array($0[1] as Data)) }),
        projects: try Int.fetchOne(
          database, sql: "SELECT count(*) FROM projects WHERE \(ConsoleProject.isOther)") ?? 0,
        accounts: try Int.fetchOne(
          database, sql: "SELECT count(*) FROM accounts WHERE project IN (\(ConsoleProject.others))"
        ) ?? 0)
    }
  }

  /// How many migrations the tables lack.
  ///
  /// - Throws: Like ``facts()``.
  package func missingSteps() throws(StoreError) -> Int {
    try read { try Self.missingSteps(of: $0) }
  }

  private static func missingSteps(of database: Database) throws -> Int {
    try Migrator.checkOwner(of: database)
    let steps = try Migrator.check(database, against: Migration.ofSQLite)
    guard steps > 0 else {
      throw StoreError.damaged("the file is not a Gatehouse database: it has no tables")
    }
    return Migration.ofSQLite.count - steps
  }

  /// Checks the file for damage.
  ///
  /// - Parameter thoroughly: Also compares every index with its table and looks for rows without
  ///   their parent rows, which takes several times as long.
  /// - Returns: A line for each fault, at most two hundred.
  package func damage(thoroughly: Bool) throws(StoreError) -> [String] {
    try read { database in
      let lines = try String.fetchAll(
        database, sql: thoroughly ? "PRAGMA integrity_check" : "PRAGMA quick_check")
      var damage = lines == ["ok"] ? [] : lines
      if thoroughly {
        let orphans = try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").prefix(100)
        damage += orphans.map { "a row of \($0[0] as String) has no parent row" }
      }
      return damage
    }
  }

  /// Reads records in one transaction. A write throws `StoreError.readOnly`.
  ///
  /// - Returns: Nil if the tables lack migrations: the records need all of them.
  /// - Throws: Like ``facts()``, and the error of `body`; if that is not a `StoreError`, it becomes
  ///   `StoreError.unavailable`.
  package func records<Result>(
    sealing: any SecretSealing, _ body: (Transaction) throws -> Result
  ) throws(StoreError) -> Result? {
    try read { database -> Result? in
      guard try Self.missingSteps(of: database) == 0 else { return nil }
      try database.execute(sql: "PRAGMA query_only = ON")
      let connection = try Connection(database)
      try connection.run(TransactionSQL.beginReading)
      defer { try? connection.run(TransactionSQL.rollback) }
      return try body(Transaction(connection, sealing: sealing))
    }
  }

  func read<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
    do {
      guard FileManager.default.fileExists(atPath: path) else {
        throw StoreError.unavailable("there is no file \(path)")
      }
      guard Files.hasHeader(path) else {
        throw StoreError.damaged(
          "the file \(path) is too short for a database (\(Files.size(of: path)) bytes)")
      }
      // Not read-only: the last read-only connection would leave an empty log and its index behind.
      var configuration = Configuration()
      configuration.busyMode = .timeout(5)
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      defer { try? queue.close() }
      return try queue.unsafeRead(body)
    } catch {
      throw StoreError.of(error)
    }
  }
}
