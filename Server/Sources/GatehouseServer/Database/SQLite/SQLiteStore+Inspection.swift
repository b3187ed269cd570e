package import GRDB

/// What tests inspect beneath the records.
extension SQLiteStore {
  /// The migrations that this program knows, oldest first, with their checksums.
  package static var migrations: [(name: String, checksum: Int64)] {
    Migration.all.map { ($0.name, $0.checksum) }
  }

  /// Applies only the first `number` migrations, as an older version would.
  package static func migrate(_ database: Database, through number: Int) throws {
    try Migrator.migrate(database, with: Array(Migration.all.prefix(number)))
  }

  /// Runs a pragma on the connection that writes, and returns its value.
  package func pragma(_ text: String) async throws -> String? {
    try await write { try ($0.connection as? Connection)?.pragma(text) }
  }
}
