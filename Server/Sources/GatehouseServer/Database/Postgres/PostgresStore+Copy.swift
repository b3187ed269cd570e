extension PostgresStore {
  /// Connects for a copy, and migrates the tables.
  package static func withCopyEnd<Result>(
    at address: PostgresAddress, _ body: (any SQLCopyEnd) throws -> Result
  ) throws -> Result {
    _ = try migrate(address)
    let connection = try PostgresConnection(address)
    connection.statementSeconds = nil
    return try body(PostgresCopyEnd(connection, at: address))
  }
}

/// PostgreSQL's side of a copy.
private final class PostgresCopyEnd: SQLCopyEnd {
  private let own: PostgresConnection
  private let address: PostgresAddress
  private var isInTransaction = false

  /// How long the copy waits for writers that hold a table.
  private static let lockSeconds = 10

  init(_ connection: PostgresConnection, at address: PostgresAddress) {
    own = connection
    self.address = address
  }

  /// Each query outside a transaction runs in a new transaction.
  var connection: any SQLConnection {
    if !isInTransaction {
      own.endReading()
      own.begin(.read, savesEachStatement: false)
    }
    return own
  }

  func columns(of table: SQLTable) throws -> [SQLTable.Column] {
    try connection.all(CatalogSQL.columns, .text(table.name)) { row in
      let kind: SQLTable.Kind =
        switch try row.text(1) {
        case "bigint": .integer
        case "bytea": .blob
        default: .text
        }
      return SQLTable.Column(name: try row.text(0), kind: kind)
    }
  }

  func lastNumber(of table: SQLTable) throws -> Int64 {
    own.endReading()
    // The sequence's row has the last number that was given. Calling `nextval` would use up a
    // number.
    let rows = try own.rows(
      """
      SELECT greatest((SELECT max(key) FROM \(table.name)), (
        SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM \(table.name)_key_seq), 0)
      """)
    return Int64(rows[0][0]) ?? 0
  }

  func setLastNumber(of table: SQLTable, to number: Int64) throws {
    guard number > 0 else { return }
    try own.run(CatalogSQL.setNumber, .text("\(table.name)_key_seq"), .integer(number))
  }

  func transaction(_ body: () throws -> Void) throws {
    own.endReading()
    own.begin(.write, savesEachStatement: false)
    isInTransaction = true
    defer { isInTransaction = false }
    do {
      try body()
      try own.commit()
    } catch {
      try? own.rollBack()
      throw error
    }
  }
}

extension PostgresCopyEnd {
  /// Another connection locks the tables meanwhile. Writers wait for it, up to their own time
  /// limits.
  func withoutWriters<Result>(_ body: () throws -> Result) throws -> Result {
    let holder = try PostgresConnection(address)
    let tables = SQLTable.all.map(\.name).joined(separator: ", ")
    try holder.script(
      """
      BEGIN;
      SET LOCAL statement_timeout = 0;
      SET LOCAL idle_in_transaction_session_timeout = 0;
      SET LOCAL lock_timeout = \(Self.lockSeconds * 1000);
      LOCK TABLE \(tables) IN SHARE MODE
      """)
    let result = try body()
    // Fails if the connection, and so the lock, was lost.
    try holder.script("COMMIT")
    return result
  }
}

private enum CatalogSQL: String, SQLStatement {
  case columns = """
    SELECT column_name, data_type FROM information_schema.columns
    WHERE table_name = ? AND table_schema = current_schema()
    """
  case setNumber = "SELECT setval(?::text::regclass, ?)"
}
