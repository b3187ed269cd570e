import Foundation
import TestStores
import Testing

/// PgBouncer in transaction mode between the servers and PostgreSQL.
@Suite(
  .enabled(if: PostgresPooler.isInstalled, "PgBouncer isn't installed: apt-get install pgbouncer"))
struct PoolerTests {
  @Test func `two servers work through a pooler that has fewer connections than they`() async throws
  {
    try await TemporaryFolder.with { folder in
      let pooler = try await PostgresPooler.start(connections: 3)
      defer { pooler.end() }
      let options = GatehouseServer.Options(
        arguments: ["--database", pooler.url], environment: TestDatabase.patience)
      let first = try await GatehouseServer.start(options, in: folder)
      defer { first.process.kill() }
      let second = try await GatehouseServer.start(options, in: folder)
      defer { second.process.kill() }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for server in [first, second, first, second, first, second] {
          group.addTask {
            for _ in 0..<10 {
              let session = try await server.app.signUp(Unique.email(), "a long password")
              #expect(session.verdict == "200", "\(session.text)")
              let refreshed = try await server.app.refresh(
                try #require(session.json["refreshToken"].string))
              #expect(refreshed.verdict == "200", "\(refreshed.text)")
            }
          }
        }
        try await group.waitForAll()
      }
    }
  }
}
