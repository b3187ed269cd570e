import GRDB
import GatehouseServer
import Testing

/// Costs stay constant from ten thousand to ten million accounts: every statement finds its rows by
/// an index.
@Suite struct QueryPlanTests {
  /// The ends of statements that list a table of a few rows.
  static let lists = [
    "SELECT id FROM projects ORDER BY id", "ORDER BY k.prefix", "FROM server_values",
    "FROM event_chains ORDER BY project",
    // The events that wait are those of the last tenth of a second.
    "ORDER BY key DESC LIMIT ?",
  ]

  @Test func `no statement scans a whole table`() async throws {
    let statements = SQLStatements.all.filter { sql in
      !Self.lists.contains { sql.hasSuffix($0) }
    }
    #expect(SQLStatements.all.count - statements.count == Self.lists.count)
    #expect(statements.count > 40)
    try await withFolder { folder in
      let store = try await openStore(folder)
      let database = try connect(folder)
      for sql in statements {
        let plan = try await database.read { connection in
          // The values don't affect the plan.
          let statement = try connection.makeStatement(sql: "EXPLAIN QUERY PLAN \(sql)")
          statement.setUncheckedArguments([])
          return try Row.fetchAll(statement).map { $0["detail"] as String }
        }
        #expect(!plan.contains { $0.hasPrefix("SCAN") }, "\(sql): \(plan)")
      }
      await store.close()
    }
  }
}
