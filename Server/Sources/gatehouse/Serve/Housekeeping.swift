import Foundation
import GatehouseServer
import Logging
import ServiceLifecycle

/// A server's periodic work: loads what other processes changed, rotates keys on their schedule,
/// and removes expired records.
struct Housekeeping: Service {
  let store: any Store
  let projects: ProjectDirectory
  let masterKeys: MasterKeyWatch
  let presence: ServerPresence
  /// The server that has the lease removes records. Nil if servers on other machines can't use the
  /// database.
  let lease: WorkLease?
  let keys: [TokenSigningKeys]
  let counts: SignInCounts
  let sendsMail: Bool
  let clock: @Sendable () -> Date
  let logger: Logger

  /// How often the server looks for changes by other servers and by commands.
  private static let timeBetweenLooks = Duration.milliseconds(100)
  /// After this time the other servers have normally looked.
  static let settling = timeBetweenLooks * 3
  static let secondsBetweenSweeps: TimeInterval = 600
  private static let secondsBetweenComparisons: TimeInterval = 60
  private static let secondsBetweenCounts: TimeInterval = 10
  /// The maximum of rows removed in one transaction: few enough that sign-ins hardly wait.
  private static let sweepLimit = 500
  /// How long sessions of deleted accounts are kept: their tokens must not open a new account with
  /// the same id.
  private static let tombstoneSeconds: TimeInterval = 365 * 86_400
  /// How long entries that were given up are kept for the operator. Not longer: they contain users' ids.
  private static let failedEntrySeconds: TimeInterval = 30 * 86_400

  private var attempt: Attempts { Attempts(failure: "housekeeping failed", logger: logger) }

  func run() async throws {
    await cancelWhenGracefulShutdown {
      await withDiscardingTaskGroup { group in
        group.addTask { await keepUp() }
        // Removing records may take minutes. Meanwhile the server must notice changes and announce
        // that it runs.
        group.addTask { await remove() }
      }
    }
    await attempt("store counts") { try await counts.store(in: store) }
    await attempt("give work to other servers") { try await lease?.release(in: store) }
  }

  private func keepUp() async {
    var lastRotation = Date.distantPast
    var lastCount = Date.distantPast
    // The server has compared them when it started.
    var lastComparison = clock()
    while !Task.isCancelled {
      let now = clock()
      await attempt("read the master key's file") {
        try await masterKeys.refreshKeys(now: now)
      }
      await attempt("look for changes") {
        _ = try await projects.refresh {
          try await masterKeys.refreshCurrent(store: store)
          try await rotateKeys(now: now)
        }
      }
      if now.timeIntervalSince(lastRotation) >= Self.secondsBetweenSweeps {
        lastRotation = now
        await attempt("rotate keys") { try await rotateKeys(now: now) }
      }
      // Also after the clock was set back.
      if abs(now.timeIntervalSince(lastComparison)) >= Self.secondsBetweenComparisons {
        lastComparison = now
        await attempt("compare clocks") { try await presence.compareClocks(clock, logger) }
      }
      if abs(now.timeIntervalSince(lastCount)) >= Self.secondsBetweenCounts {
        lastCount = now
        await attempt("store counts") { try await counts.store(in: store) }
      }
      try? await Task.sleep(for: Self.timeBetweenLooks)
    }
  }

  private func rotateKeys(now: Date) async throws {
    for ring in keys { try await ring.refresh(now: now) }
  }

  private func remove() async {
    var lastSweep = Date.distantPast
    while !Task.isCancelled {
      let now = clock()
      if now.timeIntervalSince(lastSweep) >= Self.secondsBetweenSweeps {
        lastSweep = now
        await attempt("sweep") {
          guard try await mayRemove() else { return }
          try await sweep(now: now)
        }
        await attempt("erase accounts whose grace period is over") {
          guard try await mayRemove() else { return }
          try await eraseScheduledAccounts(now: now)
        }
      }
      try? await Task.sleep(for: Self.timeBetweenLooks)
    }
  }

  /// Takes the lease at the present time: the work before may have taken longer than the lease.
  private func mayRemove() async throws -> Bool {
    try await lease?.take(in: store, now: clock()) ?? true
  }

  private func sweep(now: Date) async throws {
    try await store.write { try $0.sweepSignInCounts(now: now) }
    let tombstones = now.addingTimeInterval(-Self.tombstoneSeconds)
    var removed = Self.sweepLimit
    while removed >= Self.sweepLimit && !Task.isCancelled {
      removed = try await store.write { transaction in
        let sessions = try transaction.sweepSessions(
          deletedBefore: tombstones,
          // Their tokens are still rejected when the row is removed.
          endedBefore: now.addingTimeInterval(-Session.endedSeconds),
          idleSince: now.addingTimeInterval(-Session.idleSeconds), limit: Self.sweepLimit)
        let records = try transaction.sweepOneTimeRecords(now: now, limit: Self.sweepLimit)
        let attempts = try transaction.sweepAttempts(now: now, limit: Self.sweepLimit)
        let tokens = try transaction.sweepAccessTokens(now: now, limit: Self.sweepLimit)
        let codes = try transaction.sweepActionCodes(
          expiredBefore: now.addingTimeInterval(-ActionCode.rememberedSeconds),
          limit: Self.sweepLimit)
        let phoneCodes = try transaction.sweepPhoneVerifications(
          expiredBefore: now.addingTimeInterval(-PhoneVerification.rememberedSeconds),
          limit: Self.sweepLimit)
        let outbox = try transaction.sweepOutbox(
          failedBefore: now.addingTimeInterval(-Self.failedEntrySeconds), limit: Self.sweepLimit)
        return max(sessions, records, attempts, tokens, codes, phoneCodes, outbox)
      }
    }
  }

  private func eraseScheduledAccounts(now: Date) async throws {
    var erased = 0
    var count = 1
    while count > 0 && !Task.isCancelled {
      count = try await AccountsService.eraseScheduledAccounts(
        in: store, limit: Self.sweepLimit, sendsMail: sendsMail, now: now
      ) { project, error in
        logger.error(
          "an account whose grace period is over could not be erased",
          metadata: ["project": "\(project)", "error": "\(error)"])
      }
      erased += count
    }
    if erased > 0 {
      logger.info(
        "erased accounts whose grace period is over", metadata: ["count": "\(erased)"])
    }
  }
}
