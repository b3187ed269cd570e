import GatehouseAccounts
import GatehouseSQL

/// Migrates a database. Servers that start at the same time wait for each other.
enum PostgresMigrator {
  private enum SQL: String, SQLStatement {
    case steps = "SELECT number, checksum FROM schema_migrations ORDER BY number"
    case add = "INSERT INTO schema_migrations (number, name, checksum) VALUES (?, ?, ?)"
  }

  /// `GTHS`: of this program's advisory lock.
  private static let lock = 1_196_705_875

  /// Applies the steps that the database lacks, in one transaction.
  ///
  /// - Throws: `StoreError.damaged` if it was migrated by steps that this program doesn't know or
  ///   that differ from its own.
  static func migrate(
    _ connection: PostgresConnection, with migrations: [PostgresMigration]
  ) throws {
    try connection.runAll(
      """
      BEGIN;
      SELECT pg_advisory_xact_lock(\(lock));
      CREATE TABLE IF NOT EXISTS schema_migrations (
        number bigint PRIMARY KEY, name text NOT NULL, checksum bigint NOT NULL)
      """)
    do {
      for migration in migrations.dropFirst(try count(connection, migrations)) {
        try connection.runAll(migration.sql)
        try connection.run(
          SQL.add, .integer(migration.number), .text(migration.name), .integer(migration.checksum))
      }
      try connection.runAll("COMMIT")
    } catch {
      try? connection.runAll("ROLLBACK")
      throw error
    }
  }

  /// How many of the steps were applied.
  private static func count(
    _ connection: PostgresConnection, _ migrations: [PostgresMigration]
  ) throws -> Int {
    let applied = try connection.all(SQL.steps) { ($0.integer(0), $0.integer(1)) }
    for (position, (number, checksum)) in applied.enumerated() {
      guard position < migrations.count else {
        throw StoreError.damaged(
          "the database is of a newer version (step \(number)): run that version of gatehouse")
      }
      guard (number, checksum) == (migrations[position].number, migrations[position].checksum)
      else {
        throw StoreError.damaged(
          "the database was created by another build (step \(number) differs): run the build that "
            + "created it")
      }
    }
    return applied.count
  }
}
