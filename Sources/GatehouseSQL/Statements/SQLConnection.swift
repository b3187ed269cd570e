/// A connection of an engine, on which statements run one after the other.
package protocol SQLConnection {
  /// Runs a statement with a value for each of its places, and calls `row` for each row that it
  /// returns.
  ///
  /// - Returns: How many rows an `INSERT`, `UPDATE` or `DELETE` changed.
  /// - Throws: `StoreError`, and what `row` throws.
  @discardableResult
  func execute(_ sql: String, _ values: [SQLValue], row: (SQLRow) throws -> Void) throws -> Int

  /// Runs a statement whose result nobody needs. An engine behind a network may send it together with
  /// the next one, and then throws its error there, or at the commit.
  func send(_ sql: String, _ values: [SQLValue]) throws

  /// Whether each statement costs a round trip over a network.
  var isRemote: Bool { get }

  /// Whether ``send(_:_:)`` may throw an error later. A transaction in which a statement broke a rule is then
  /// run again, with this false.
  var defersErrors: Bool { get }

  /// Announces queries that probably follow, so that a remote engine can send them together. Changes no
  /// result.
  func expect(_ queries: [SQLQuery])

  /// The key of a project that this engine knows without asking the database; nil: ask it.
  func rememberedKey(ofProject id: String) -> Int64?

  /// Tells the engine a key that a transaction read.
  func remember(_ key: Int64, ofProject id: String)

  /// The project's row may be gone.
  func forgetProjectKeys()
}

/// A `SELECT` and the values for its places.
package struct SQLQuery: Hashable {
  package let sql: String
  package let values: [SQLValue]

  package init(text: String, values: [SQLValue] = []) {
    sql = text
    self.values = values
  }

  package init(_ sql: some SQLStatement, _ values: [SQLValue]) {
    self.sql = sql.text
    self.values = values
  }
}

/// An engine in this process: nothing is gained by sending statements together.
extension SQLConnection {
  package func send(_ sql: String, _ values: [SQLValue]) throws {
    try execute(sql, values) { _ in }
  }

  package var isRemote: Bool { false }

  package var defersErrors: Bool { false }

  package func expect(_ queries: [SQLQuery]) {}

  package func rememberedKey(ofProject id: String) -> Int64? { nil }

  package func remember(_ key: Int64, ofProject id: String) {}

  package func forgetProjectKeys() {}
}

extension SQLConnection {
  /// Runs a statement that returns no rows.
  package func run(_ sql: some SQLStatement, _ values: SQLValue...) throws {
    try send(sql.text, values)
  }

  package func run(_ sql: some SQLStatement, _ values: [SQLValue]) throws {
    try send(sql.text, values)
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
