package import Foundation
import GatehouseProtocol
package import Logging
import Metrics

/// Executes the entries of the outbox in the background: see `OutboxEntry`.
///
/// Several workers may use one database. A worker claims an entry for the time of the lease. If the
/// worker crashes, the lease ends, and another worker takes the entry, or the same one after its
/// restart.
package struct OutboxWorker: Sendable {
  /// How many entries of one lane are executed at the same time; twice as many in a lane whose work needs
  /// many other servers. A project may have half of the places that others leave free (`FairShares`), so
  /// that a project with many receivers that don't respond can't fill the lane.
  package static let concurrency = 12
  /// How many of them may be for one `OutboxReceiver` (a provider or hook of a project; all emails of a
  /// project count as one), so that a receiver that doesn't respond can't fill the lane.
  package static let concurrencyPerReceiver = 4
  private static let secondsBetweenLooks = 1
  private static let secondsBetweenCounts: TimeInterval = 15

  /// The lanes. Each kind of work that needs another server has its own lane: if that server doesn't
  /// respond, work in the other lanes continues.
  private static let lanes: [OutboxSelection] = {
    let remote = OutboxTask.Kind.allCases.filter(\.isRemote)
    return [OutboxSelection(.except(remote))]
      + remote.map { kind in
        OutboxSelection(
          .only(kind), limitPerReceiver: concurrencyPerReceiver,
          // All emails need the same mail server.
          shares: FairShares(places: kind == .sendMail ? concurrency : 2 * concurrency))
      }
  }()

  private let store: any Store
  private let leases: OutboxLeases
  private let executors: Executors
  private let clock: @Sendable () -> Date
  private let logger: Logger

  /// - Parameters:
  ///   - webhooks: Connects to projects' own receivers, under the outbound rule.
  ///   - eventTokens: Signs the events for hooks.
  ///   - mailer: Nil if this server sends no mail: emails wait until their codes expire.
  ///   - leases: Each must be longer than any attempt takes.
  package init(
    store: any Store, federation: Federation, webhooks: any OutboundTransport,
    eventTokens: SecurityEventCodec, mailer: (any Mailer)? = nil,
    leases: OutboxLeases = OutboxLeases(),
    clock: @escaping @Sendable () -> Date, logger: Logger
  ) {
    self.store = store
    self.leases = leases
    self.clock = clock
    self.logger = logger
    executors = Executors(
      codes: CodeExchangeExecutor(store: store, federation: federation),
      revocations: RevocationExecutor(store: store, federation: federation),
      forwards: ForwardExecutor(store: store, transport: webhooks),
      mails: MailExecutor(store: store, mailer: mailer),
      deliveries: DeliveryExecutor(store: store, transport: webhooks, codec: eventTokens))
  }

  fileprivate struct Executors: Sendable {
    let codes: CodeExchangeExecutor
    let revocations: RevocationExecutor
    let forwards: ForwardExecutor
    let mails: MailExecutor
    let deliveries: DeliveryExecutor
  }

  /// Executes entries, and looks for new ones at least once a second.
  ///
  /// - Parameters:
  ///   - isRunning: Called before each look. If it returns false, entries in progress are finished
  ///     first: a provider may have received their request, and a code works only once.
  ///   - pause: Waits for the duration, or until the server stops.
  package func run(
    while isRunning: @escaping @Sendable () -> Bool,
    pause: @escaping @Sendable (Duration) async -> Void
  ) async {
    await withDiscardingTaskGroup { group in
      for lane in Self.lanes { group.addTask { await run(lane, isRunning, pause) } }
      group.addTask { await countRegularly(isRunning, pause) }
    }
  }

  private enum Progress { case executed(OutboxReceiver), paused }

  /// Executes the entries of one lane. The next entry begins as soon as one ends, so an entry that
  /// waits for its receiver delays others only if the lane is full.
  private func run(
    _ lane: OutboxSelection, _ isRunning: @Sendable () -> Bool,
    _ pause: @escaping @Sendable (Duration) async -> Void
  ) async {
    await withTaskGroup(of: Progress.self) { group in
      let concurrency = lane.shares?.places ?? Self.concurrency
      var lane = lane
      var executing: [OutboxReceiver: Int] = [:]
      var isPausing = false
      while isRunning() {
        let room = concurrency - executing.values.reduce(0, +)
        let entries = room > 0 ? await claimLogged(lane.without(executing), limit: room) : []
        for entry in entries {
          executing[entry.receiver, default: 0] += 1
          _ = lane.shares?.take(for: entry.project)
          group.addTask {
            await traced(entry)
            return .executed(entry.receiver)
          }
        }
        // After a full batch, more entries are probably due.
        if entries.count < room, !isPausing {
          isPausing = true
          group.addTask {
            await pause(.seconds(Self.secondsBetweenLooks))
            return .paused
          }
        }
        switch await group.next() {
        case .executed(let receiver):
          executing[receiver, default: 1] -= 1
          lane.shares?.giveBack(of: receiver.project)
        case .paused: isPausing = false
        case nil: break
        }
      }
      await group.waitForAll()
    }
  }

  private func claimLogged(_ lane: OutboxSelection, limit: Int) async -> [OutboxEntry] {
    do {
      return try await claim(lane, limit: limit)
    } catch {
      logger.error("the outbox could not be read", metadata: ["error": "\(error)"])
      return []
    }
  }

  private func claim(_ lane: OutboxSelection, limit: Int) async throws -> [OutboxEntry] {
    let now = clock()
    guard try await store.read({ try $0.hasDueOutboxEntry(lane, now: now) }) else { return [] }
    return try await store.write { transaction in
      try transaction.claimOutboxEntries(
        lane, now: now, leases: leases, limit: limit)
    }
  }

  private func countRegularly(
    _ isRunning: @Sendable () -> Bool, _ pause: @Sendable (Duration) async -> Void
  ) async {
    var lastCount = Date.distantPast
    while isRunning() {
      let now = clock()
      if now.timeIntervalSince(lastCount) >= Self.secondsBetweenCounts {
        lastCount = now
        do {
          try await count()
        } catch {
          logger.error("the outbox could not be counted", metadata: ["error": "\(error)"])
        }
      }
      await pause(.seconds(Self.secondsBetweenLooks))
    }
  }

  /// Executes the entries that are due now, at most one batch.
  ///
  /// - Returns: How many were attempted.
  package func executeDue() async throws -> Int {
    let entries = try await claim(.all, limit: Self.concurrency)
    await withDiscardingTaskGroup { group in
      for entry in entries { group.addTask { await execute(entry) } }
    }
    return entries.count
  }

  /// Events that follow from a provider's report name the provider as the actor.
  private func execute(_ entry: OutboxEntry) async {
    guard case .applyEvent(let event) = entry.task else { return await attempt(entry) }
    let origin = EventOrigin.current.with(actor: .provider(event.provider))
    await EventOrigin.$current.withValue(origin) {
      await attempt(entry)
    }
  }

  private func attempt(_ entry: OutboxEntry) async {
    let result: OutboxResult
    do {
      result =
        switch entry.task {
        case .exchangeCode(let task): try await executors.codes.execute(task, entry, now: clock())
        case .revoke(let task): try await executors.revocations.execute(task, entry, now: clock())
        case .applyEvent(let event): applying(event, in: entry.project, now: clock())
        case .forwardNotification(let task): try await executors.forwards.execute(task, entry)
        case .sendMail(let task): try await executors.mails.execute(task, entry, now: clock())
        case .deliverEvent(let task):
          try await executors.deliveries.execute(task, entry, now: clock())
        }
    } catch {
      result = .retry("\(error)")
    }
    do {
      try await record(result, of: entry)
    } catch {
      // The transaction had no effect. If the retry can't be stored either, the lease ends, and the
      // entry is attempted again.
      try? await record(.retry("\(error)"), of: entry)
      logger.error(
        "the result of an outbox entry could not be stored",
        metadata: ["entry": "\(entry.id)", "error": "\(error)"])
    }
  }

  /// The event is applied in the transaction that removes the entry, once.
  private func applying(
    _ event: ProviderEvent, in project: ProjectID, now: Date
  ) -> OutboxResult {
    .work { try $0.apply(event, in: project, now: now) }
  }

  private func record(_ result: OutboxResult, of entry: OutboxEntry) async throws {
    let now = clock()
    var changed = entry
    switch result {
    case .done(let commit):
      count(entry, "done")
      try await store.write { transaction in
        let isQueued = try transaction.deleteOutboxEntry(entry.id)
        try commit(transaction, isQueued)
      }
      return
    case .work(let work):
      let isDone = try await store.write { transaction in
        guard try transaction.finishAttempt(of: entry) else { return false }
        try work(transaction)
        return true
      }
      count(entry, isDone ? "done" : "late")
      return
    case .retry(let reason):
      var generator = SystemRandomNumberGenerator()
      let delay = OutboxBackoff.seconds(afterAttempts: entry.attempts, using: &generator)
      changed.dueAt = now.addingTimeInterval(delay)
      changed.lastError = reason
      if changed.dueAt >= entry.expiresAt { changed.failedAt = now }
    case .failed(let reason):
      changed.lastError = reason
      changed.failedAt = now
    }
    let stored = changed
    guard try await store.write({ try $0.recordAttempt(stored, of: entry) }) else {
      // This attempt took longer than its lease. The result of the later one counts.
      count(entry, "late")
      return
    }
    count(entry, stored.failedAt == nil ? "retried" : "failed")
    if stored.failedAt != nil {
      logger.log(
        // A warning: users mistype their addresses every day.
        level: entry.task.kind == .sendMail ? .warning : .error,
        "an outbox entry was given up; see `gatehouse outbox list --failed`",
        metadata: [
          "entry": "\(entry.id)", "kind": "\(entry.task.kind.rawValue)",
          "provider": "\(entry.task.provider?.text ?? "none")", "project": "\(entry.project)",
          // A mail server's answer may quote the user's address.
          "reason": entry.task.kind == .sendMail ? "see the list" : "\(stored.lastError ?? "")",
        ])
    }
  }

  private func traced(_ entry: OutboxEntry) async {
    guard let tracer = Tracer.current else { return await execute(entry) }
    let attributes = ["gatehouse.project": entry.project.text]
    try? await tracer.span(entry.task.kind.rawValue, .internal, attributes) { await execute(entry) }
  }

  // MARK: Metrics

  private func count(_ entry: OutboxEntry, _ outcome: String) {
    Metric.outboxAttempts.counter(
      ("kind", entry.task.kind.rawValue),
      ("provider", entry.task.provider.map { IdentityProviders.metricsLabel(of: $0) } ?? "none"),
      ("outcome", outcome)
    ).increment()
  }

  private func count() async throws {
    let counts = try await store.read { try $0.countOutbox() }
    for count in counts {
      for (state, number) in [("live", count.live), ("failed", count.failed)] {
        Metric.outboxEntries.gauge(("kind", count.kind.rawValue), ("state", state)).record(number)
      }
      let age = count.oldestAt.map { clock().timeIntervalSince($0) } ?? 0
      Metric.outboxOldestSeconds.gauge(("kind", count.kind.rawValue)).record(max(age, 0))
    }
  }
}

extension OutboxSelection {
  /// The selection without receivers that have the maximum number of entries in progress.
  fileprivate func without(_ executing: [OutboxReceiver: Int]) -> OutboxSelection {
    var selection = self
    selection.busy = Set(executing.filter { $0.value >= limitPerReceiver }.keys)
    return selection
  }
}
