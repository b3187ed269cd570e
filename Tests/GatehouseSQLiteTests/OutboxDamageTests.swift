import Foundation
import GRDB
import GatehouseAccounts
import GatehouseModel
import GatehouseSQLite
import Testing

@Suite struct OutboxDamageTests {
  private static let now = Date(timeIntervalSince1970: 1_800_000_000)

  @Test func `an entry that can't be read is given up, and holds up no other`() async throws {
    try await withDamage(intact: 1) { store, intact in
      let now = Self.now
      let claim = { @Sendable (transaction: any StoreTransaction) in
        try transaction.claimOutboxEntries(
          .all, now: now, leaseUntil: now.addingTimeInterval(60), limit: 9
        ).map(\.id)
      }
      #expect(try await store.write { try claim($0) } == [])
      #expect(try await store.write { try claim($0) } == intact)
      let count = try await store.read { try $0.countOutbox().first { $0.kind == .revoke } }
      #expect(count?.failed == 1)
    }
  }

  @Test func `a page of entries that can't be read doesn't end a retry of all`() async throws {
    try await withDamage(damaged: 250, intact: 3) { store, intact in
      let now = Self.now
      try await store.write { transaction in
        for id in intact {
          var entry = try #require(try transaction.outboxEntry(id))
          entry.failedAt = now
          try transaction.update(entry)
        }
      }
      #expect(try await Outbox(store: store).retryFailed(now: now) == 3)
      let failed = try await store.read {
        try $0.outboxEntries(OutboxFilter(onlyFailed: true), limit: 9)
      }
      #expect(failed.isEmpty)
    }
  }

  /// A store with entries whose work can't be read, and behind them others that can.
  private func withDamage(
    damaged: Int = 1, intact: Int,
    _ body: (_ store: SQLiteStore, _ intact: [OutboxID]) async throws -> Void
  ) async throws {
    try await withFolder { folder in
      let store = try SQLiteStore.open(at: folder, sealing: TaggingSealer())
      let project = try #require(ProjectID("test-project"))
      let json = #"{"kind":"revoke","provider":"facebook.com","subject":"1001"}"#
      let task = try #require(OutboxTask(stored: Array(json.utf8)))
      let entries = (0..<damaged + intact).map { number in
        OutboxEntry(project: project, task: task, orderKey: "ann", createdAt: Self.now)
      }
      try await store.write { transaction in
        try transaction.save(
          Project(
            id: project, number: 1, issuer: "https://auth.example.com/test-project",
            authorizedDomains: [], policies: ProjectPolicies()))
        for entry in entries { try transaction.enqueue(entry) }
      }
      let ids = entries.map(\.id)
      let database = try connect(folder)
      try await database.write { database in
        for id in ids[..<damaged] {
          try database.execute(
            sql: "UPDATE outbox SET task = x'00' WHERE id = ?", arguments: [id.text])
        }
      }
      try database.close()
      try await body(store, Array(ids[damaged...]))
      await store.close()
    }
  }
}
