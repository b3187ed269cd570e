/// Migrates a database. Servers that start at the same time wait for each other.
enum PostgresMigrator {
  private enum SQL: String, SQLStatement {
    case steps = "SELECT number, checksum, is_expansion FROM schema_migrations ORDER BY number"
    case add = """
      INSERT INTO schema_migrations (number, name, checksum, is_expansion) VALUES (?, ?, ?, ?)
      """
    case isMade = "SELECT to_regclass('schema_migrations') IS NOT NULL"
  }

  /// The key of this program's advisory lock: `GTHS` in ASCII.
  private static let lock = 1_196_705_875

  /// Applies the steps that the database lacks, in one transaction.
  ///
  /// - Returns: The names of these steps.
  /// - Throws: `StoreError.damaged` if the database has steps that this program doesn't know or
  ///   that differ from its own.
  static func migrate(
    _ connection: PostgresConnection, with migrations: [Migration],
    until deadline: ContinuousClock.Instant
  ) throws -> [String] {
    // Checked first, so that a user who may not create tables can open a database that has all
    // steps.
    if try missing(connection, migrations, until: deadline) == 0 { return [] }
    // Explicitly READ COMMITTED: with another default of the database, the transaction would still see the
    // tables as they were before it waited for the lock.
    try connection.script(
      """
      BEGIN ISOLATION LEVEL READ COMMITTED;
      SET LOCAL statement_timeout = 0;
      SET LOCAL lock_timeout = 0;
      SELECT pg_advisory_xact_lock(\(lock));
      CREATE TABLE IF NOT EXISTS schema_migrations (
        number bigint PRIMARY KEY, name text NOT NULL, checksum bigint NOT NULL,
        is_expansion bigint NOT NULL)
      """)
    do {
      connection.adoptTransaction()
      let steps = migrations.dropFirst(try count(connection, migrations))
      for migration in steps {
        try connection.script(migration.sql)
        try connection.run(
          SQL.add, .integer(migration.number), .text(migration.name),
          .integer(migration.checksum), .flag(migration.isExpansion))
      }
      try connection.commit()
      return steps.map(\.name)
    } catch {
      try? connection.rollBack()
      throw error
    }
  }

  /// How many steps the database lacks; nil if it has no tables of this program.
  static func missing(
    _ connection: PostgresConnection, _ migrations: [Migration],
    until deadline: ContinuousClock.Instant
  ) throws -> Int? {
    connection.begin(.read, savesEachStatement: false, until: deadline)
    defer { connection.endReading() }
    guard try connection.first(SQL.isMade, read: { $0.integer(0) }) == 1 else { return nil }
    return max(0, migrations.count - (try count(connection, migrations)))
  }

  /// The number of applied steps. It can include steps of a newer version, if servers of this
  /// version can run beside the newer version.
  private static func count(
    _ connection: PostgresConnection, _ migrations: [Migration]
  ) throws -> Int {
    let applied = try connection.all(SQL.steps) {
      ($0.integer(0), $0.integer(1), $0.integer(2) != 0)
    }
    for (position, (number, checksum, isExpansion)) in applied.enumerated() {
      guard position < migrations.count else {
        if isExpansion { continue }
        throw StoreError.damaged(
          "the database is of a newer version (step \(number)): run that version of gatehouse")
      }
      guard
        (number, checksum) == (migrations[position].number, migrations[position].checksum)
      else {
        throw StoreError.damaged(
          "the database was created by another build (step \(number) differs): run the build that "
            + "created it")
      }
    }
    return applied.count
  }
}
