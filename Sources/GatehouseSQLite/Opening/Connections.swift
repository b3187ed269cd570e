import Foundation
import GRDB
import GatehouseAccounts

/// The connections to one database file: one that writes, a few that read.
struct Connections: Sendable {
  let writer: DatabaseQueue
  let readers: [DatabaseQueue]

  static let readerCount = 2

  /// Opens the file, which exists (and may be empty), and brings its tables up to date.
  static func open(path: String, lockWait: Int) throws -> Connections {
    var configuration = Self.configuration(cacheKibibytes: 8192, lockWait: lockWait)
    configuration.label = "gatehouse.writer"
    configuration.journalMode = .wal
    let writer = try DatabaseQueue(path: path, configuration: configuration)
    try writer.writeWithoutTransaction { database in
      // GRDB sets NORMAL with the write-ahead log: a commit would then survive `kill -9` but not a
      // power cut. Ignored inside a transaction, hence here.
      try database.execute(sql: "PRAGMA synchronous = FULL")
      // The writer copies the log itself, when it has answered.
      try database.execute(sql: "PRAGMA wal_autocheckpoint = 0")
      try Migrator.migrate(database, with: Migration.all)
    }
    var readOnly = Self.configuration(cacheKibibytes: 2048, lockWait: lockWait)
    readOnly.label = "gatehouse.reader"
    readOnly.readonly = true
    let readers = try (0..<Self.readerCount).map { _ in
      try DatabaseQueue(path: path, configuration: readOnly)
    }
    return Connections(writer: writer, readers: readers)
  }

  /// Runs `body` on a database that this program may open, without changing it.
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
      guard try Migrator.isMade(database, with: Migration.all) else { return nil }
      return try body(try Connection(database))
    }
  }

  private static func configuration(cacheKibibytes: Int, lockWait: Int) -> Configuration {
    var configuration = Configuration()
    // Asks every millisecond: SQLite's own waits grow to 100 ms, and under load the
    // lock is free for less than that between two commits of the other process.
    configuration.busyMode = .callback { attempts in
      Thread.sleep(forTimeInterval: 0.001)
      return attempts < lockWait
    }
    configuration.prepareDatabase { database in
      try database.execute(sql: "PRAGMA cache_size = -\(cacheKibibytes)")
      try database.execute(sql: "PRAGMA temp_store = MEMORY")
      try database.execute(sql: "PRAGMA trusted_schema = OFF")
      if !database.configuration.readonly {
        // The log's file shrinks to this once a burst is over.
        try database.execute(sql: "PRAGMA journal_size_limit = 33554432")
      }
    }
    return configuration
  }
}
