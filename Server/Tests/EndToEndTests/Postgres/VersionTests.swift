import Foundation
import Testing

/// Servers of two successive versions over one database.
///
/// The next version is simulated by its migration, which only adds tables, columns and indexes.
@Suite struct VersionTests {
  /// A migration of the kind that the guide for upgrades allows: columns, one with a default, a table and
  /// an index.
  private static let expansion = """
    BEGIN;
    ALTER TABLE accounts ADD COLUMN of_the_next_version text NOT NULL DEFAULT 'x';
    ALTER TABLE sessions ADD COLUMN of_the_next_version bigint;
    CREATE TABLE of_the_next_version (key bigint PRIMARY KEY, account text);
    CREATE INDEX of_the_next_version_account ON of_the_next_version (account);
    INSERT INTO schema_migrations VALUES (9999, 'of-the-next-version', 0, 1);
    COMMIT
    """

  @Test func `a server goes on while the next version expands its tables, and can be restarted`()
    async throws
  {
    try await TemporaryFolder.with { folder in
      let database = try TestDatabase.make()
      let server = try await GatehouseServer.start(database.options(), in: folder)
      defer { server.process.kill() }
      try await withThrowingTaskGroup(of: [String].self) { group in
        for _ in 0..<4 { group.addTask { try await Self.useAccounts(12, at: server) } }
        group.addTask {
          try database.run(Self.expansion)
          return []
        }
        for try await verdicts in group {
          #expect(verdicts.allSatisfy { $0 == "200" }, "\(verdicts)")
        }
      }
      // A rolling upgrade may start servers of the older version once more.
      let another = try await GatehouseServer.start(database.options(), in: folder)
      defer { another.process.kill() }
      for place in [server, another] {
        let verdicts = try await Self.useAccounts(2, at: place)
        #expect(verdicts.allSatisfy { $0 == "200" }, "\(verdicts)")
      }
    }
  }

  /// Signs up, refreshes, changes and deletes users, one after the other.
  private static func useAccounts(
    _ count: Int, at server: GatehouseServer
  ) async throws -> [String] {
    var verdicts: [String] = []
    for _ in 0..<count {
      let signedUp = try await server.app.signUp(Unique.email(), "a long password")
      let refreshed = try await server.app.refresh(signedUp.json["refreshToken"].string ?? "")
      let idToken = refreshed.json["id_token"]
      let changed = try await server.app.call(
        "update", ["idToken": idToken, "displayName": "Ann"])
      let deleted = try await server.app.call("delete", ["idToken": idToken])
      verdicts += [signedUp, refreshed, changed, deleted].map(\.verdict)
    }
    return verdicts
  }
}
