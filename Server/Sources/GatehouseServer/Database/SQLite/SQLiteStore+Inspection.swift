/// What tests inspect beneath the records.
extension SQLiteStore {
  /// The migrations that this program knows, oldest first, with their checksums.
  package static var migrations: [(name: String, checksum: Int64)] {
    Migration.all.map { ($0.name, $0.checksum) }
  }

  /// Runs `body` as a later version would, which has one more migration.
  package static func withNextMigration<Result>(
    _ sql: String, _ body: () async throws -> Result
  ) async throws -> Result {
    let number = Int64(Migration.all.count + 1)
    let next = Migration(number: number, name: "next-\(number)", Array(sql.utf8))
    return try await Migration.$all.withValue(Migration.all + [next]) { try await body() }
  }

  /// Runs a pragma on the connection that writes, and returns its value.
  package func pragma(_ text: String) async throws -> String? {
    try await write { try ($0.connection as? Connection)?.pragma(text) }
  }
}
