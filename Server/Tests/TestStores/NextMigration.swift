package import GatehouseServer

extension Migration {
  /// Runs `body` as a later version would, which has one more migration of SQLite.
  package static func withNextOfSQLite<Result>(
    _ sql: String, _ body: () async throws -> Result
  ) async throws -> Result {
    try await $ofSQLite.withValue(ofSQLite + [next(after: ofSQLite, sql)]) { try await body() }
  }

  /// Runs `body` as a later version would, which has one more migration of PostgreSQL.
  package static func withNextOfPostgres<Result>(
    _ sql: String, isExpansion: Bool = true, _ body: () async throws -> Result
  ) async throws -> Result {
    let next = next(after: ofPostgres, sql, isExpansion: isExpansion)
    return try await $ofPostgres.withValue(ofPostgres + [next]) { try await body() }
  }

  private static func next(
    after steps: [Migration], _ sql: String, isExpansion: Bool = true
  ) -> Migration {
    Migration(Int64(steps.count + 1), "next", isExpansion: isExpansion, Array(sql.utf8))
  }
}
