import Foundation
import GRDB
import GatehouseAccounts
import GatehouseModel
import GatehouseSQLite
import Testing

@Suite struct OutboxDamageTests {
  @Test func `an entry that can't be read is given up, and holds up no other`() async throws {
    try await withFolder { folder in
      let store = try SQLiteStore.open(at: folder, sealing: TaggingSealer())
      let now = Date(timeIntervalSince1970: 1_800_000_000)
      let project = try #require(ProjectID("test-project"))
      let json = #"{"kind":"revoke","provider":"facebook.com","subject":"1001"}"#
      let task = try #require(OutboxTask(stored: Array(json.utf8)))
      let damaged = OutboxEntry(project: project, task: task, orderKey: "ann", createdAt: now)
      let intact = OutboxEntry(project: project, task: task, orderKey: "ann", createdAt: now)
      try await store.write { transaction in
        try transaction.save(
          Project(
            id: project, number: 1, issuer: "https://auth.example.com/test-project",
            authorizedDomains: [], policies: ProjectPolicies()))
        try transaction.enqueue(damaged)
        try transaction.enqueue(intact)
      }
      let database = try connect(folder)
      try await database.write {
        try $0.execute(
          sql: "UPDATE outbox SET task = x'00' WHERE id = ?", arguments: [damaged.id.text])
      }
      try database.close()
      let claim = { @Sendable (transaction: any StoreTransaction) in
        try transaction.claimOutboxEntries(
          .all, now: now, leaseUntil: now.addingTimeInterval(60), limit: 9
        ).map(\.id)
      }
      #expect(try await store.write { try claim($0) } == [])
      #expect(try await store.write { try claim($0) } == [intact.id])
      let count = try await store.read { try $0.countOutbox().first { $0.kind == .revoke } }
      #expect(count?.failed == 1)
      await store.close()
    }
  }
}
