package import Foundation

/// What commands read from a database without opening a store.
extension PostgresStore {
  /// The server values of a database. Nothing is migrated or changed.
  ///
  /// - Returns: Nil for a database without tables of this program.
  /// - Throws: Like ``open(_:sealing:memory:)``.
  package static func serverValues(
    _ address: PostgresAddress
  ) throws -> [String: [UInt8]]? {
    let connection = try PostgresConnection(address)
    guard
      try PostgresMigrator.missing(connection, Migration.ofPostgres, until: address.deadline)
        != nil
    else { return nil }
    connection.begin(.read, savesEachStatement: false, until: address.deadline)
    defer { connection.endReading() }
    let values = try connection.all(ServerSQL.values) { (try $0.text(0), $0.blob(1)) }
    return Dictionary(values) { first, _ in first }
  }

  /// The time of PostgreSQL's clock.
  package static func time(_ address: PostgresAddress) throws -> Date {
    let microseconds = try rows(ClockSQL.now.text, at: address)[0][0]
    return Date(timeIntervalSince1970: (Double(microseconds) ?? 0) / 1_000_000)
  }

  /// - Returns: Nil for a database without tables of this program.
  /// - Throws: Like ``open(_:sealing:memory:)``.
  package static func facts(_ address: PostgresAddress) throws -> DatabaseFacts? {
    guard let values = try serverValues(address), let missing = try missingSteps(address) else {
      return nil
    }
    let counts = try rows(
      """
      SELECT count(*), (SELECT sum(accounts) FROM account_counts WHERE project IN (\(ConsoleProject.others)))
      FROM projects WHERE \(ConsoleProject.isOther)
      """, at: address)
    return DatabaseFacts(
      missingSteps: missing, values: values, projects: Int(counts[0][0]) ?? 0,
      accounts: Int(counts[0][1]) ?? 0)
  }

  /// Reads records in one transaction. Nothing is migrated or changed: a write throws
  /// `StoreError.readOnly`.
  ///
  /// - Returns: Nil for a database without tables of this program, or whose tables lack migrations.
  /// - Throws: Like ``open(_:sealing:memory:)``, and what `body` throws.
  package static func records<Result>(
    at address: PostgresAddress, sealing: any SecretSealing,
    _ body: (Transaction) throws -> Result
  ) throws -> Result? {
    let connection = try PostgresConnection(address)
    guard
      try PostgresMigrator.missing(connection, Migration.ofPostgres, until: address.deadline) == 0
    else { return nil }
    connection.begin(.read, savesEachStatement: false, until: address.end)
    defer { connection.endReading() }
    return try body(Transaction(connection, sealing: sealing))
  }

  /// Migrates the tables.
  ///
  /// - Returns: The names of the steps that were applied, such as `initial`.
  package static func migrate(_ address: PostgresAddress) throws -> [String] {
    try PostgresMigrator.migrate(
      PostgresConnection(address), with: Migration.ofPostgres, until: address.deadline)
  }

  /// How many steps the database lacks; nil if it has no tables of this program.
  package static func missingSteps(_ address: PostgresAddress) throws -> Int? {
    try PostgresMigrator.missing(
      PostgresConnection(address), Migration.ofPostgres, until: address.deadline)
  }

  /// Runs statements that return nothing. A single statement runs outside a transaction.
  package static func script(_ statements: String, at address: PostgresAddress) throws {
    try PostgresConnection(address).script(statements)
  }

  /// Runs one statement, and returns its rows.
  package static func rows(_ query: String, at address: PostgresAddress) throws -> [[String]] {
    let connection = try PostgresConnection(address)
    return try connection.rows(query)
  }
}
