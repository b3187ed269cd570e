/// A connection of an engine, on which statements run one after the other.
package protocol SQLConnection {
  /// Runs a statement with a value for each placeholder, and calls `row` for each row that it
  /// returns.
  ///
  /// - Returns: How many rows an `INSERT`, `UPDATE` or `DELETE` changed.
  /// - Throws: `StoreError`, and what `row` throws.
  @discardableResult
  func execute(_ sql: String, _ values: [SQLValue], row: (SQLRow) throws -> Void) throws -> Int

  /// Runs a statement whose result is not needed. A remote engine may send it together with the
  /// next statement. Then the next statement or the commit throws its error.
  func send(_ sql: String, _ values: [SQLValue]) throws

  /// Whether each statement costs a round trip over a network.
  var isRemote: Bool { get }

  /// Whether ``send(_:_:)`` may throw its error later. If so, and a statement violates a
  /// constraint, the transaction runs again, with this value false.
  var defersErrors: Bool { get }

  /// Announces queries that probably follow, so that a remote engine can send them together.
  /// Changes no result.
  func expect(_ queries: [SQLQuery])

  /// The key of a project, if this engine knows it without a query. Otherwise nil.
  func rememberedKey(ofProject id: String) -> Int64?

  /// Tells the engine a key that a transaction read.
  func remember(_ key: Int64, ofProject id: String)

  /// Call this if a project's row may have been deleted.
  func forgetProjectKeys()
}

/// A `SELECT` and the values for its placeholders.
package struct SQLQuery: Hashable {
  package let sql: String
  package let values: [SQLValue]

  /// Whether the query can find nothing: a value contains U+0000, which no stored text contains.
  package var isVain: Bool { values.contains(where: \.hasZeroCharacter) }

  package init(text: String, values: [SQLValue] = []) {
    sql = text
    self.values = values
  }

  package init(_ sql: some SQLStatement, _ values: [SQLValue]) {
    self.sql = sql.text
    self.values = values
  }
}

/// Defaults for an engine in this process, which gains nothing by sending statements together.
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

/// The statements of the records run through these functions. Only they refuse texts that an engine
/// can't store.
extension SQLConnection {
  /// Runs a statement that returns no rows.
  ///
  /// - Throws: `StoreError.zeroCharacter` if a value is a text with the character U+0000.
  package func run(_ sql: some SQLStatement, _ values: SQLValue...) throws {
    try run(sql, values)
  }

  package func run(_ sql: some SQLStatement, _ values: [SQLValue]) throws {
    try checkTexts(values)
    try send(sql.text, values)
  }

  /// Runs an `INSERT`, `UPDATE` or `DELETE` and returns how many rows it changed.
  ///
  /// - Throws: Like `run`.
  package func change(_ sql: some SQLStatement, _ values: SQLValue...) throws -> Int {
    try change(sql, values)
  }

  func change(_ sql: some SQLStatement, _ values: [SQLValue]) throws -> Int {
    try checkTexts(values)
    return try execute(sql.text, values) { _ in }
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
    try query(sql.text, values) { value = try read($0) }
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
    try query(sql.text, values) { list.append(try read($0)) }
    return list
  }

  /// No stored text contains the character U+0000, so a `SELECT` with this character in a value
  /// finds no rows. Another statement, such as an `INSERT` that returns a key, is refused.
  private func query(
    _ sql: String, _ values: [SQLValue], row: (SQLRow) throws -> Void
  ) throws {
    guard !values.contains(where: \.hasZeroCharacter) else {
      if sql.utf8.starts(with: "SELECT".utf8) { return }
      throw StoreError.zeroCharacter
    }
    try execute(sql, values, row: row)
  }

  private func checkTexts(_ values: [SQLValue]) throws {
    if values.contains(where: \.hasZeroCharacter) { throw StoreError.zeroCharacter }
  }
}
