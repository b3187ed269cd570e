package import Foundation
import GRDB

extension SQLiteStore {
  /// Opens the database in the folder for a copy, and brings its tables up to date. Creates it if there is
  /// none.
  package static func withCopyEnd<Result>(
    at folder: URL, _ body: (any SQLCopyEnd) throws -> Result
  ) throws -> Result {
    try createDatabase(at: folder)
    let path = folder.appendingPathComponent(fileName, isDirectory: false).path
    let connections = try SQLiteConnections.open(path: path, lockWait: 5000)
    for reader in connections.readers { try? reader.close() }
    defer { try? connections.writer.close() }
    return try connections.writer.writeWithoutTransaction { database in
      try body(try SQLiteCopyEnd(database))
    }
  }
}

/// SQLite's side of a copy.
private struct SQLiteCopyEnd: SQLCopyEnd {
  private let database: Database
  let connection: any SQLConnection

  init(_ database: Database) throws {
    self.database = database
    connection = try Connection(database)
  }

  func columns(of table: SQLTable) throws -> [SQLTable.Column] {
    try Row.fetchAll(
      database, sql: "SELECT name, type FROM pragma_table_info(?)", arguments: [table.name]
    ).map { row in
      let kind: SQLTable.Kind =
        switch row[1] as String {
        case "INTEGER": .integer
        case "BLOB": .blob
        default: .text
        }
      return SQLTable.Column(name: row[0], kind: kind)
    }
  }

  func lastNumber(of table: SQLTable) throws -> Int64 {
    let highest =
      try Int64.fetchOne(database, sql: "SELECT max(key) FROM \(table.name)") ?? 0
    let remembered = try Int64.fetchOne(
      database, sql: "SELECT seq FROM sqlite_sequence WHERE name = ?", arguments: [table.name])
    return max(highest, remembered ?? 0)
  }

  func setLastNumber(of table: SQLTable, to number: Int64) throws {
    // Without a row SQLite numbers from the highest key.
    try database.execute(
      sql: "UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?",
      arguments: [number, table.name])
    let isKept = try Bool.fetchOne(
      database,
      sql: "SELECT sql LIKE '%AUTOINCREMENT%' FROM sqlite_schema WHERE name = ?",
      arguments: [table.name])
    guard isKept == true, database.changesCount == 0 else { return }
    try database.execute(
      sql: "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)",
      arguments: [table.name, number])
  }

  func transaction(_ body: () throws -> Void) throws {
    try database.inTransaction(.immediate) {
      try body()
      return .commit
    }
  }

  func withoutWriters<Result>(_ body: () throws -> Result) throws -> Result {
    var result: Result?
    try database.inTransaction(.immediate) {
      result = try body()
      return .commit
    }
    guard let result else { throw StoreError.closed }
    return result
  }
}
