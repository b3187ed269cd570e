import Foundation
import GRDB
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct OutboxDamageTests {
  private static let now = Date(timeIntervalSince1970: 1_800_000_000)

  @Test func `an entry that can't be read is given up, and holds up no other`() async throws {
    try await withDamage(intact: 1) { store, _, intact in
      #expect(try await claim(store, after: 0) == [])
      #expect(try await claim(store, after: 0) == intact)
      let count = try await store.read { try $0.countOutbox().first { $0.kind == .revoke } }
      #expect(count?.failed == 1)
    }
  }

  @Test(arguments: [
    ("apply-event", #"{"kind":"apply-event","provider":"apple.com","subject":"1","event":"new"}"#),
    ("new-kind", #"{"kind":"new-kind"}"#),
  ])
  func `an entry of a newer version waits for a server of that version`(
    kind: String, task: String
  ) async throws {
    try await withDamage(intact: 1) { store, folder, intact in
      try await rewrite(folder, kind: kind, task: task)
      #expect(try await claim(store, after: 0) == [])
      let isDue = { (seconds: TimeInterval) in
        try await store.read {
          try $0.hasDueOutboxEntry(.all, now: Self.now.addingTimeInterval(seconds))
        }
      }
      #expect(try await !isDue(4))
      #expect(try await isDue(5))
      #expect(try await claim(store, after: 3600) == [])
      #expect(try await !isDue(7199))
      // The newer version reads it.
      try await rewrite(folder, kind: "revoke", task: Self.task)
      let claimed = try await claim(store, after: 7200)
      #expect(claimed.count == 1)
      #expect(claimed != intact)
    }
  }

  @Test func `an entry of a newer version is given up after two weeks, and holds up no other`()
    async throws
  {
    try await withDamage(intact: 1) { store, folder, intact in
      try await rewrite(folder, kind: "revoke", task: #"{"kind":"revoke","provider":"apple.com"}"#)
      let twoWeeks: TimeInterval = 14 * 86_400
      #expect(try await claim(store, after: twoWeeks - 1) == [])
      #expect(try await claim(store, after: twoWeeks + 3600) == [])
      #expect(try await claim(store, after: twoWeeks + 3600) == intact)
      let count = try await store.read { try $0.countOutbox().first { $0.kind == .revoke } }
      #expect(count?.failed == 1)
    }
  }

  @Test func `a page of entries that can't be read doesn't end a retry of all`() async throws {
    try await withDamage(damaged: 250, intact: 3) { store, _, intact in
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

  private func claim(_ store: SQLiteStore, after seconds: TimeInterval) async throws -> [OutboxID] {
    let now = Self.now.addingTimeInterval(seconds)
    return try await store.write { transaction in
      try transaction.claimOutboxEntries(
        .all, now: now, leases: OutboxLeases(), limit: 9
      ).map(\.id)
    }
  }

  /// Replaces the work of the first entry.
  private func rewrite(_ folder: URL, kind: String, task: String) async throws {
    let database = try connect(folder)
    try await database.write { database in
      let id = try #require(
        try String.fetchOne(database, sql: "SELECT id FROM outbox ORDER BY key LIMIT 1"))
      let place = SealedPlace(.queuedTask, project: "test-project", row: id)
      let sealed = try TaggingSealer().seal(Array(task.utf8), at: place)
      try database.execute(
        sql: "UPDATE outbox SET kind = ?, task = ? WHERE id = ?",
        arguments: [kind, Data(sealed), id])
    }
    try database.close()
  }

  private static let task = #"{"kind":"revoke","provider":"facebook.com","subject":"1001"}"#

  /// A store with entries whose work can't be read, and behind them others that can.
  private func withDamage(
    damaged: Int = 1, intact: Int,
    _ body: (_ store: SQLiteStore, _ folder: URL, _ intact: [OutboxID]) async throws -> Void
  ) async throws {
    try await withFolder { folder in
      let store = try SQLiteStore.open(at: folder, sealing: TaggingSealer())
      let project = try #require(ProjectID("test-project"))
      let task = try #require(OutboxTask(stored: Array(Self.task.utf8)))
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
      try await body(store, folder, Array(ids[damaged...]))
      await store.close()
    }
  }
}
