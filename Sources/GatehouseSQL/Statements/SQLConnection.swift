/// A connection of an engine, on which statements run one after the other.
package protocol SQLConnection {
  /// Runs a statement with a value for each of its places, and calls `row` for each row that it
  /// returns.
  ///
  /// - Returns: How many rows an `INSERT`, `UPDATE` or `DELETE` changed.
  /// - Throws: `StoreError`, and what `row` throws.
  @discardableResult
  func execute(_ sql: String, _ values: [SQLValue], row: (SQLRow) throws -> Void) throws -> Int
}

extension SQLConnection {
  /// Runs a statement that returns no rows.
  package func run(_ sql: some SQLStatement, _ values: SQLValue...) throws {
    try execute(sql.text, values) { _ in }
  }

  package func run(_ sql: some SQLStatement, _ values: [SQLValue]) throws {
    try execute(sql.text, values) { _ in }
  }

  /// Runs an `INSERT`, `UPDATE` or `DELETE` and returns how many rows it changed.
  func change(_ sql: some SQLStatement, _ values: SQLValue...) throws -> Int {
    try execute(sql.text, values) { _ in }
  }

  /// Reads the row of a statement that returns at most one.
  package func first<Value>(
    _ sql: some SQLStatement, _ values: SQLValue..., read: (SQLRow) throws -> Value
  ) throws -> Value? {
    try first(sql, values, read: read)
  }

  func first<Value>(
    _ sql: some SQLStatement, _ values: [SQLValue], read: (SQLRow) throws -> Value
  ) throws -> Value? {
    var value: Value?
    try execute(sql.text, values) { value = try read($0) }
    return value
  }

  package func all<Value>(
    _ sql: some SQLStatement, _ values: SQLValue..., read: (SQLRow) throws -> Value
  ) throws -> [Value] {
    try all(sql, values, read: read)
  }

  package func all<Value>(
    _ sql: some SQLStatement, _ values: [SQLValue], read: (SQLRow) throws -> Value
  ) throws -> [Value] {
    var list: [Value] = []
    try execute(sql.text, values) { list.append(try read($0)) }
    return list
  }
}
