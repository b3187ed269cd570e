import Foundation
import GRDB

/// The connections to one database file: one that writes, a few that read.
struct SQLiteConnections: Sendable {
  let writer: DatabaseQueue
  let readers: [DatabaseQueue]

  static let readerCount = 2

  /// Opens the file, which must exist (and may be empty), and migrates it.
  static func open(path: String, lockWait: Int) throws -> SQLiteConnections {
    var configuration = Self.configuration(cacheKibibytes: 8192, lockWait: lockWait)
    configuration.label = "gatehouse.writer"
    configuration.journalMode = .wal
    let writer = try DatabaseQueue(path: path, configuration: configuration)
    try writer.writeWithoutTransaction { database in
      // With the write-ahead log GRDB sets NORMAL: a commit would then survive `kill -9` but not a
      // power cut. SQLite ignores this inside a transaction, so it is set here.
      try database.execute(sql: "PRAGMA synchronous = FULL")
      // The writer copies the log itself, after it has returned the results.
      try database.execute(sql: "PRAGMA wal_autocheckpoint = 0")
      try Migrator.migrate(database, with: Migration.ofSQLite)
    }
    var readOnly = Self.configuration(cacheKibibytes: 2048, lockWait: lockWait)
    readOnly.label = "gatehouse.reader"
    readOnly.readonly = true
    let readers = try (0..<Self.readerCount).map { _ in
      try DatabaseQueue(path: path, configuration: readOnly)
    }
    return SQLiteConnections(writer: writer, readers: readers)
  }

  /// Runs `body` on a Gatehouse database of a known version, without changing it.
  ///
  /// - Returns: Nil if the file has no tables yet.
  static func inspect<Value>(
    path: String, _ body: (Connection) throws -> Value
  ) throws -> Value? {
    var readOnly = Self.configuration(cacheKibibytes: 256, lockWait: 5000)
    readOnly.label = "gatehouse.inspection"
    readOnly.readonly = true
    let queue = try DatabaseQueue(path: path, configuration: readOnly)
    defer { try? queue.close() }
    return try queue.read { database in
      guard try Migrator.isMade(database, with: Migration.ofSQLite) else { return nil }
      return try body(try Connection(database))
    }
  }

  private static func configuration(cacheKibibytes: Int, lockWait: Int) -> Configuration {
    var configuration = Configuration()
    // Tries again every millisecond. SQLite's own waits grow to 100 ms, and under load the lock is
    // free for less time than that between two commits of the other process.
    configuration.busyMode = .callback { attempts in
      Thread.sleep(forTimeInterval: 0.001)
      return attempts < lockWait
    }
    configuration.prepareDatabase { database in
      try database.execute(sql: "PRAGMA cache_size = -\(cacheKibibytes)")
      try database.execute(sql: "PRAGMA temp_store = MEMORY")
      try database.execute(sql: "PRAGMA trusted_schema = OFF")
      if !database.configuration.readonly {
        // After a burst, the log's file shrinks to this size in bytes.
        try database.execute(sql: "PRAGMA journal_size_limit = 33554432")
      }
    }
    return configuration
  }
}
