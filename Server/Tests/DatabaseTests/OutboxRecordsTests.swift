import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct OutboxRecordsTests {
  @Test(arguments: StoreFactory.all)
  func `an entry is read as it was stored`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      var entry = try entry(order: "alice")
      entry.dueAt = Sample.now.addingTimeInterval(5)
      entry.attempts = 3
      entry.lastError = "the provider refused: 503"
      entry.retriedAt = Sample.now.addingTimeInterval(1.5)
      entry.failedAt = Sample.now.addingTimeInterval(2.25)
      let stored = entry
      let found = try #require(
        try await store.write { transaction in
          try transaction.enqueue(stored)
          return try transaction.outboxEntry(stored.id)
        })
      #expect(found.project == entry.project)
      #expect(try found.task.stored == entry.task.stored)
      #expect(found.orderKey == "alice")
      #expect(found.createdAt == entry.createdAt)
      #expect(found.dueAt == entry.dueAt)
      #expect(found.attempts == 3)
      #expect(found.lastError == entry.lastError)
      #expect(found.retriedAt == entry.retriedAt)
      #expect(found.failedAt == entry.failedAt)
    }
  }

  @Test(arguments: StoreFactory.all)
  func `a due entry is claimed once, until its lease ends`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      let entry = try entry(order: "alice", dueIn: 10)
      try await store.write { try $0.enqueue(entry) }
      #expect(try await claim(store, at: 9) == [])
      #expect(try await store.read { try !$0.hasDueOutboxEntry(.all, now: Self.time(9)) })
      #expect(try await store.read { try $0.hasDueOutboxEntry(.all, now: Self.time(10)) })
      #expect(try await claim(store, at: 10) == [entry.id])
      #expect(try await claim(store, at: 69) == [])
      #expect(try await claim(store, at: 70) == [entry.id])
      let attempts = try await store.read { try $0.outboxEntry(entry.id)?.attempts }
      #expect(attempts == 2)
    }
  }

  /// As if the process crashed during each attempt.
  @Test(arguments: StoreFactory.all)
  func `an entry whose attempts never end is claimed ever less often, and given up when it expires`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let (first, second) = (try entry(order: "alice"), try entry(order: "alice"))
      try await store.write { transaction in
        try transaction.enqueue(first)
        try transaction.enqueue(second)
      }
      var leases: [TimeInterval] = []
      var time: TimeInterval = 0
      while try await claim(store, at: time) == [first.id], leases.count < 1000 {
        let dueAt = try #require(try await store.read { try $0.outboxEntry(first.id)?.dueAt })
        leases.append(dueAt.timeIntervalSince(Self.time(time)))
        time = dueAt.timeIntervalSince(Sample.now).rounded(.up)
      }
      #expect(leases.prefix(4).allSatisfy { (60...61).contains($0) })
      #expect(leases.dropFirst(20).allSatisfy { (2699...4501).contains($0) })
      let stored = try await store.read { try $0.outboxEntry(first.id) }
      #expect(stored?.failedAt != nil)
      #expect(stored?.lastError == "expired; the result of the last attempt is unknown")
      #expect(Self.time(time) >= first.expiresAt)
      #expect(time < first.expiresAt.timeIntervalSince(Sample.now) + 4502)
      #expect(try await claim(store, at: time) == [second.id])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `an expired entry that was never attempted is attempted once`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let entry = try entry(order: "alice")
      try await store.write { try $0.enqueue(entry) }
      let time = OutboxEntry.maximumSeconds + 1
      #expect(try await claim(store, at: time) == [entry.id])
      #expect(try await claim(store, at: time + 60) == [])
      #expect(try await store.read { try $0.outboxEntry(entry.id)?.failedAt } != nil)
    }
  }

  @Test(arguments: StoreFactory.all)
  func `entries with one order key are claimed one after the other`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let first = try entry(order: "alice")
      let second = try entry(order: "alice")
      let other = try entry(order: "bob")
      let elsewhere = try entry(order: "alice", in: Sample.second)
      for entry in [first, second, other, elsewhere] {
        try await store.write { try $0.enqueue(entry) }
      }
      #expect(Set(try await claim(store, at: 0)) == [first.id, other.id, elsewhere.id])
      #expect(try await claim(store, at: 1) == [])
      #expect(try await store.write { try $0.deleteOutboxEntry(first.id) })
      #expect(try await claim(store, at: 1) == [second.id])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `an entry that was given up holds up no other`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      let first = try entry(order: "alice")
      let second = try entry(order: "alice")
      try await store.write { transaction in
        try transaction.enqueue(first)
        try transaction.enqueue(second)
        var failed = first
        failed.failedAt = Sample.now
        try transaction.update(failed)
      }
      #expect(try await claim(store, at: 0) == [second.id])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `a late result doesn't replace that of the next attempt`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let entry = try entry(order: "alice")
      try await store.write { try $0.enqueue(entry) }
      let claims = [try await claimFirst(store, at: 0), try await claimFirst(store, at: 61)]
      var (first, second) = (claims[0], claims[1])
      second.lastError = "the second one's"
      second.dueAt = Sample.now + 200
      first.lastError = "the first one's"
      first.failedAt = Sample.now
      let results = try await store.write { [first, second] transaction in
        [
          try transaction.finishAttempt(of: claims[0]),
          try transaction.recordAttempt(second, of: claims[1]),
          try transaction.recordAttempt(first, of: claims[0]),
        ]
      }
      #expect(results == [false, true, false])
      let stored = try await store.read { try $0.outboxEntry(entry.id) }
      #expect(stored?.lastError == "the second one's")
      #expect(stored?.failedAt == nil)
      #expect(stored?.attempts == 2)
    }
  }

  /// A restart counts the attempts from the beginning.
  @Test(arguments: StoreFactory.all)
  func `a result from before a restart doesn't replace that of the attempt after it`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let entry = try entry(order: "alice")
      try await store.write { try $0.enqueue(entry) }
      let before = try await claimFirst(store, at: 0)
      #expect(try await Outbox(store: store).retry(entry.id, now: Sample.now + 1))
      let after = try await claimFirst(store, at: 1)
      #expect(before.attempts == after.attempts)
      let results = try await store.write { transaction in
        [
          try transaction.recordAttempt(before, of: before),
          try transaction.finishAttempt(of: before), try transaction.finishAttempt(of: after),
        ]
      }
      #expect(results == [false, false, true])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `lists are filtered, and counts are by kind`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      let live = try entry(order: "alice")
      var failed = try entry(order: "bob", in: Sample.second)
      failed.failedAt = Sample.now
      let given = [live, failed]
      let (first, onlyFailed, alices, counts) = try await store.write { transaction in
        for entry in given { try transaction.enqueue(entry) }
        return (
          try transaction.outboxEntries(.init(project: Sample.first), limit: 9).map(\.id),
          try transaction.outboxEntries(.init(onlyFailed: true), limit: 9).map(\.id),
          try transaction.liveOutboxEntries(
            withOrderKey: "alice", limit: 9, in: Sample.first
          ).map(\.id),
          try transaction.countOutbox()
        )
      }
      #expect(first == [live.id])
      #expect(onlyFailed == [failed.id])
      #expect(alices == [live.id])
      #expect(counts.first { $0.kind == .revoke }?.live == 1)
      #expect(counts.first { $0.kind == .revoke }?.failed == 1)
      #expect(counts.first { $0.kind == .revoke }?.oldestAt == Sample.now)
      #expect(counts.first { $0.kind == .exchangeCode }?.live == 0)
    }
  }

  @Test(arguments: StoreFactory.all)
  func `of one receiver only so many are taken, and of a busy one none`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let entries = try (0..<3).map { try entry(order: "\($0)") }
      for entry in entries { try await store.write { try $0.enqueue(entry) } }
      let claim = { @Sendable (selection: OutboxSelection) in
        try await store.write { transaction in
          try transaction.claimOutboxEntries(
            selection, now: Self.time(0), leases: OutboxLeases(), limit: 10
          ).map(\.id)
        }
      }
      #expect(
        try await claim(OutboxSelection(.all, limitPerReceiver: 2)) == entries[..<2].map(\.id))
      let receiver = entries[2].receiver
      let busy = OutboxSelection(.all, busy: [receiver])
      #expect(try await claim(busy) == [])
      #expect(try await store.read { try !$0.hasDueOutboxEntry(busy, now: Self.time(0)) })
      let other = OutboxReceiver(project: receiver.project, name: "google.com")
      #expect(try await claim(OutboxSelection(.all, busy: [other])) == [entries[2].id])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `a project with many due entries takes only its share, and another one gets the next`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let (bad, good) = (try Sample.first, try Sample.second)
      let entries = try (0..<3).map { try entry(order: "\($0)", in: bad) }
      let other = try entry(order: "0", in: good)
      for entry in entries + [other] { try await store.write { try $0.enqueue(entry) } }
      let claim = { @Sendable (selection: OutboxSelection) in
        try await store.write { transaction in
          try transaction.claimOutboxEntries(
            selection, now: Self.time(0), leases: OutboxLeases(), limit: 10
          ).map(\.id)
        }
      }
      var shares = FairShares<ProjectID>(places: 4)
      #expect(
        try await claim(OutboxSelection(.all, shares: shares))
          == [entries[0].id, entries[1].id, other.id])
      for project in [bad, bad, good] { _ = shares.take(for: project) }
      let full = OutboxSelection(.all, shares: shares)
      #expect(try await claim(full) == [])
      #expect(try await store.read { try !$0.hasDueOutboxEntry(full, now: Self.time(0)) })
      shares.giveBack(of: bad)
      #expect(try await claim(OutboxSelection(.all, shares: shares)) == [entries[2].id])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `pages cover every entry once`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      var ids: [OutboxID] = []
      for _ in 0..<5 {
        let entry = try entry(order: "alice")
        ids.append(entry.id)
        try await store.write { try $0.enqueue(entry) }
      }
      var found: [OutboxID] = []
      var position: Int64?
      repeat {
        let start = position
        let page = try await store.read { try $0.outboxPage(after: start, limit: 2) }
        found += page.entries.map(\.id)
        position = page.position
      } while position != nil
      #expect(found == ids)
    }
  }

  private static func time(_ seconds: Double) -> Date { Sample.now.addingTimeInterval(seconds) }

  private func claim(_ store: any Store, at seconds: Double) async throws -> [OutboxID] {
    try await claimEntries(store, at: seconds).map(\.id)
  }

  private func claimFirst(_ store: any Store, at seconds: Double) async throws -> OutboxEntry {
    try #require(try await claimEntries(store, at: seconds).first)
  }

  private func claimEntries(
    _ store: any Store, at seconds: Double
  ) async throws -> [OutboxEntry] {
    try await store.write { transaction in
      try transaction.claimOutboxEntries(
        .all, now: Self.time(seconds), leases: OutboxLeases(), limit: 10)
    }
  }

  private func entry(
    order: String, dueIn seconds: Double = 0, in project: ProjectID? = nil
  ) throws -> OutboxEntry {
    let json = """
      {"kind":"revoke","provider":"apple.com","subject":"s","token":"r","tokenKind":"refresh_token"}
      """
    let task = try #require(OutboxTask(stored: Array(json.utf8)))
    var entry = OutboxEntry(
      project: try project ?? Sample.first, task: task, orderKey: order, createdAt: Sample.now)
    entry.dueAt = Self.time(seconds)
    return entry
  }
}
