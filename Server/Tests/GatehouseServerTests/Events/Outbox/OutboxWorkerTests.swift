import Foundation
import GatehouseServer
import GatehouseProtocol
import TestStores
import Testing

@Suite struct OutboxWorkerTests {
  @Test func `a failed attempt isn't repeated before its delay is over`() async throws {
    try await withOutbox { world in
      try await world.queueRevocation()
      var attempted: [Int] = []
      for _ in 0..<8 {
        attempted.append(try await world.worker().executeDue())
        world.advance(1)
      }
      // The first delay is five seconds, with jitter between 3.75 and 6.25.
      #expect(attempted.first == 1)
      #expect(attempted[1...3] == [0, 0, 0])
      #expect(attempted.reduce(0, +) == 2)
    }
  }

  @Test func `while the provider is unreachable for a day, a revocation waits, and is sent once`()
    async throws
  {
    try await withOutbox { world in
      for name in ["one", "two", "three"] {
        try await world.queueRevocation(name, order: name)
      }
      // A new worker each time: the process is restarted meanwhile.
      for _ in 0..<(24 * 60) {
        _ = try await world.worker().executeDue()
        world.advance(60)
      }
      let failures = world.vendors.requests(to: OutboxWorld.appleRevoke).count
      // Each: about ten attempts in the first hours, then one an hour.
      #expect((90...120).contains(failures))
      world.vendors.on(OutboxWorld.appleRevoke, [:])
      for _ in 0..<120 {
        _ = try await world.worker().executeDue()
        world.advance(60)
      }
      let sent = world.vendors.fields("token", at: OutboxWorld.appleRevoke).dropFirst(failures)
      #expect(sent.sorted() == ["one", "three", "two"])
      #expect(try await world.entries().isEmpty)
    }
  }

  @Test func `after a crash in the middle of an attempt the lease ends, and it is repeated`()
    async throws
  {
    try await withOutbox { world in
      try await world.queueRevocation()
      let now = world.now
      // What a worker does before it asks the provider; then the process is killed.
      _ = try await world.store.write {
        try $0.claimOutboxEntries(
          .all, now: now, leases: OutboxLeases(), limit: 9)
      }
      world.vendors.on(OutboxWorld.appleRevoke, [:])
      world.advance(OutboxLeases.shortest - 1)
      #expect(try await world.worker().executeDue() == 0)
      world.advance(1)
      #expect(try await world.worker().executeDue() == 1)
      #expect(try await world.entries().isEmpty)
    }
  }

  @Test func `a report that another worker applied meanwhile isn't applied again`() async throws {
    try await withOutbox { world in
      let ann = try #require(UID("ann"))
      func identity() async throws -> LinkedIdentity? {
        let project = world.project
        return try await world.store.read { try $0.account(ann, in: project)?.identities.first }
      }
      let (project, now) = (world.project, world.now)
      try await world.store.write { transaction in
        guard var account = try transaction.account(ann, in: project) else { return }
        // Gatehouse's own request, which causes one report.
        account.identities[0].revocationRequestedAt = now
        try transaction.save(account, in: project)
      }
      try await world.queue(
        """
        {"kind":"apply-event","provider":"apple.com","subject":"ann","event":"consent-revoked",
         "occurredAt":\(now.timeIntervalSince1970)}
        """)
      // The first write claims the entry, the second one applies the report.
      let slow = InterruptedStore(world.store) { number in
        guard number == 2 else { return }
        world.advance(OutboxLeases.shortest + 1)
        let count = try await world.worker().executeDue()
        #expect(count == 1)
      }
      #expect(try await world.worker(on: slow).executeDue() == 1)
      let after = try #require(try await identity())
      #expect(after.revocationRequestedAt == nil)
      #expect(after.consentRevokedAt == nil)
      #expect(try await world.entries().isEmpty)
    }
  }

  @Test func `two workers at once attempt an entry once`() async throws {
    try await withOutbox { world in
      world.vendors.on(OutboxWorld.appleRevoke, [:])
      for number in 0..<20 { try await world.queueRevocation("t\(number)", order: "\(number)") }
      try await withThrowingTaskGroup { group in
        for _ in 0..<8 { group.addTask { _ = try await world.worker().executeDue() } }
        try await group.waitForAll()
      }
      #expect(try await world.entries().isEmpty)
      #expect(Set(world.vendors.fields("token", at: OutboxWorld.appleRevoke)).count == 20)
      #expect(world.vendors.requests(to: OutboxWorld.appleRevoke).count == 20)
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `a provider that hangs takes some places of its lane, and others go on`() async throws {
    try await withOutbox { world in
      for number in 0..<(3 * OutboxWorker.concurrency) {
        try await world.queueRevocation("g\(number)", of: "google.com", order: "\(number)")
      }
      try await world.queueRevocation("last", order: "ann")
      world.vendors.on(OutboxWorld.googleRevoke, [:])
      world.vendors.hold(OutboxWorld.googleRevoke)
      let vendors = world.vendors
      vendors.on(OutboxWorld.appleRevoke) { _ throws(OutboundError) in
        vendors.release()
        return OutboundResponse(status: 200, body: [])
      }
      await world.worker().run(while: { vendors.isHolding }, pause: { _ in })
      #expect(vendors.fields("token", at: OutboxWorld.appleRevoke) == ["last"])
      #expect(
        vendors.requests(to: OutboxWorld.googleRevoke).count
          == OutboxWorker.concurrencyPerReceiver)
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `a project with many hooks that hang leaves places to another project`() async throws {
    try await withOutbox { world in
      let (bad, good) = (world.project, try #require(ProjectID("good-project")))
      let hooks = (0..<30).map { "https://hook\($0).example.com/" }
      let lastHook = "https://good.example.com/"
      let now = world.now
      try await world.store.write { transaction in
        try transaction.save(
          Project(
            id: good, number: 2, issuer: "https://auth.example.com/good-project",
            authorizedDomains: [], policies: ProjectPolicies()))
        for (project, urls) in [(bad, hooks), (good, [lastHook])] {
          for url in urls {
            try transaction.save(
              Hook(url: url, secrets: [.random()], createdAt: now), of: project)
          }
          try transaction.record(.deleted, of: UID("ann"), details: [:], in: project, now: now)
        }
      }
      try await EventLinker(store: world.store).run()
      for url in hooks { world.vendors.hold(url) }
      let vendors = world.vendors
      vendors.on(lastHook) { _ throws(OutboundError) in
        vendors.release()
        return OutboundResponse(status: 200, body: [])
      }
      await world.worker().run(while: { vendors.isHolding }, pause: { _ in })
      #expect(vendors.requests(to: lastHook).map(\.project) == [good])
      #expect(hooks.count { !vendors.requests(to: $0).isEmpty } == OutboxWorker.concurrency)
    }
  }

  @Test func `work that fails for two weeks is given up, and an operator can retry it`()
    async throws
  {
    try await withOutbox { world in
      try await world.queueRevocation()
      for _ in 0..<(15 * 24) {
        _ = try await world.worker().executeDue()
        world.advance(3600)
      }
      let entry = try #require(try await world.entries().first)
      let failedAt = try #require(entry.failedAt)
      #expect(abs(failedAt.timeIntervalSince(OutboxWorld.start) - 14 * 86_400) < 2 * 3600)
      #expect(entry.lastError?.contains("appleid.apple.com") == true)

      world.vendors.on(OutboxWorld.appleRevoke, [:])
      #expect(try await world.worker().executeDue() == 0)
      #expect(try await Outbox(store: world.store).retry(entry.id, now: world.now))
      #expect(try await world.worker().executeDue() == 1)
      #expect(try await world.entries().isEmpty)
    }
  }
}

@Suite struct OutboxBackoffTests {
  @Test(
    arguments: [(1, 5), (2, 10), (3, 20), (10, 2560), (11, 3600), (1000, 3600)]
      as [(Int, TimeInterval)])
  func `the delay doubles up to an hour, with jitter`(_ attempts: Int, _ seconds: TimeInterval) {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<100 {
      let delay = OutboxBackoff.seconds(afterAttempts: attempts, using: &generator)
      #expect((seconds * 0.75...seconds * 1.25).contains(delay))
    }
  }
}
