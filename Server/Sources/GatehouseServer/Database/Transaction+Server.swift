package enum ServerSQL: String, SQLStatement {
  case value = "SELECT value FROM server_values WHERE name = ?"
  case setValue = """
    INSERT INTO server_values (name, value) VALUES (?, ?)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value
    """
  case remove = "DELETE FROM server_values WHERE name = ?"
  case values = "SELECT name, value FROM server_values"
  case valuesWithPrefix = """
    SELECT name, value FROM server_values WHERE name >= ? AND name < ?
    """
  case changeCounter = "SELECT value FROM change_counter WHERE only_row = 1"
  case countChange = "UPDATE change_counter SET value = value + 1 WHERE only_row = 1"
}

extension Transaction {
  /// A named value, e.g. the mode stamp or the master key's check value.
  package func serverValue(_ name: String) throws -> [UInt8]? {
    try connection.first(ServerSQL.value, .text(name)) { $0.blob(0) }
  }

  package func setServerValue(_ name: String, to value: [UInt8]) throws {
    try connection.run(ServerSQL.setValue, .text(name), .blob(value))
  }

  package func removeServerValue(_ name: String) throws {
    try connection.run(ServerSQL.remove, .text(name))
  }

  /// The values whose names begin with `prefix`, by name.
  package func serverValues(withPrefix prefix: String) throws -> [String: [UInt8]] {
    let values = try connection.all(
      ServerSQL.valuesWithPrefix, .text(prefix), .text(prefix + "\u{10FFFF}")
    ) { (try $0.text(0), $0.blob(1)) }
    return Dictionary(values) { first, _ in first }
  }

  func changeCounter() throws -> Int64 {
    try connection.first(ServerSQL.changeCounter) { $0.integer(0) } ?? 0
  }
}
