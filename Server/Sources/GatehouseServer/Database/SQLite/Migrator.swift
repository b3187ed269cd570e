import GRDB

/// Migrates a database, each step in its own transaction.
enum Migrator {
  /// `GTHS`, in the header of every Gatehouse database.
  static let applicationID: Int64 = 1_196_705_875

  /// Applies the steps that the database lacks. If it has all of them, no lock is taken.
  ///
  /// - Throws: `StoreError.damaged` if the file belongs to another program, or was migrated by
  ///   steps that this program doesn't know or that differ from its own.
  static func migrate(_ database: Database, with migrations: [Migration]) throws {
    try checkOwner(of: database)
    var count = try check(database, against: migrations)
    while count < migrations.count {
      // The lock is taken first, because another process may be migrating too.
      try database.inTransaction(.immediate) {
        count = try check(database, against: migrations)
        if count < migrations.count {
          try apply(migrations[count], to: database)
          count += 1
        }
        return .commit
      }
    }
  }

  /// Whether any step was applied to the database.
  ///
  /// - Throws: Like ``migrate(_:with:)``.
  static func isMade(_ database: Database, with migrations: [Migration]) throws -> Bool {
    try checkOwner(of: database)
    return try check(database, against: migrations) > 0
  }

  static func checkOwner(of database: Database) throws {
    let owner = try Int64.fetchOne(database, sql: "PRAGMA application_id") ?? 0
    guard owner != applicationID else { return }
    let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
    guard owner == 0, tables == 0 else {
      throw StoreError.damaged(
        "the file is not a Gatehouse database: name another folder, or move the file away")
    }
  }

  /// How many of the steps were applied to the database.
  ///
  /// - Throws: Like ``migrate(_:with:)``.
  static func check(_ database: Database, against migrations: [Migration]) throws -> Int {
    guard try database.tableExists("schema_migrations") else { return 0 }
    let rows = try Row.fetchAll(
      database, sql: "SELECT number, checksum FROM schema_migrations ORDER BY number")
    for (position, row) in rows.enumerated() {
      let number: Int64 = row[0]
      guard position < migrations.count else {
        throw StoreError.damaged(
          "the database is of a newer version (step \(number)): run that version of gatehouse, or "
            + "restore a backup made before the update")
      }
      let migration = migrations[position]
      guard number == migration.number, row[1] == migration.checksum else {
        throw StoreError.damaged(
          "the database was created by another build (step \(number) differs): run the build that "
            + "created it, or restore a backup")
      }
    }
    return rows.count
  }

  private static func apply(_ migration: Migration, to database: Database) throws {
    try database.execute(
      sql: """
        CREATE TABLE IF NOT EXISTS schema_migrations (
          number INTEGER PRIMARY KEY,
          name TEXT NOT NULL,
          checksum INTEGER NOT NULL
        ) STRICT
        """)
    try database.execute(sql: migration.sql)
    try database.execute(
      sql: "INSERT INTO schema_migrations (number, name, checksum) VALUES (?, ?, ?)",
      arguments: [migration.number, migration.name, migration.checksum])
  }
}
