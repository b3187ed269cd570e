import Foundation
import GatehouseServer
import GatehouseProtocol
import Logging
import ServiceLifecycle

/// A server's work on the event log: links events as they arrive, signs checkpoints, and removes events
/// after their retention time.
struct EventLogKeeping: Service {
  let store: any Store
  let checkpoints: EventCheckpoints
  /// Nil if servers on other machines can't use the database.
  let lease: WorkLease?
  let retentionDays: Int
  let clock: @Sendable () -> Date
  let logger: Logger

  private static let timeBetweenLooks = Duration.milliseconds(100)
  private static let secondsBetweenLeases: TimeInterval = 1
  /// How long events wait if the server that links them ends suddenly.
  static let leaseSeconds: TimeInterval = 3
  /// How long a server that can't link events leaves them to others.
  private static let secondsWithoutLease: TimeInterval = 10
  private static let secondsBetweenCheckpoints: TimeInterval = 60
  private static let secondsBetweenSweeps: TimeInterval = 600

  private var attempt: Attempts {
    Attempts(failure: "keeping the event log failed", logger: logger)
  }

  func run() async throws {
    await cancelWhenGracefulShutdown {
      let linker = EventLinker(store: store)
      var lastLease = Date.distantPast
      var isHolder = lease == nil
      var lastCheckpoints = Date.distantPast
      var lastSweep = Date.distantPast
      var lastUnreadable: Int64?
      while !Task.isCancelled {
        let now = clock()
        if let lease, now.timeIntervalSince(lastLease) >= Self.secondsBetweenLeases {
          lastLease = now
          isHolder =
            await attempt("take the lease") {
              try await lease.take(in: store, now: now)
            } ?? false
        }
        if isHolder {
          let linked = await attempt("link events") { try await linker.link() }
          let unreadable = linked?.lastUnreadable
          let foundUnreadable = unreadable != nil && unreadable != lastUnreadable
          if let unreadable, foundUnreadable {
            lastUnreadable = unreadable
            logger.error(
              """
              an event can't be read and is not linked: a newer version of gatehouse recorded it, or the \
              database is damaged. Run the newest version. The other events are linked
              """, metadata: ["key": "\(unreadable)"])
          }
          if linked == nil || foundUnreadable, lease != nil {
            // A newer server may succeed: during an upgrade, events may have kinds that are unknown here.
            isHolder = false
            lastLease = now.addingTimeInterval(Self.secondsWithoutLease)
            await attempt("give the lease back") { try await lease?.release(in: store) }
            continue
          }
          if now.timeIntervalSince(lastCheckpoints) >= Self.secondsBetweenCheckpoints {
            lastCheckpoints = now
            await attempt("sign checkpoints") { try await sign(now: now) }
          }
          if now.timeIntervalSince(lastSweep) >= Self.secondsBetweenSweeps {
            lastSweep = now
            await attempt("remove old events") { try await sweep(now: now) }
          }
        }
        try? await Task.sleep(for: Self.timeBetweenLooks)
      }
    }
    await attempt("give the lease back") { try await lease?.release(in: store) }
  }

  private func sign(now: Date) async throws {
    for (project, fault) in try await checkpoints.run(now: now).faults {
      logger.error(
        "the event log was changed; see `gatehouse audit verify`",
        metadata: ["project": "\(project?.text ?? "none: the server's own")", "fault": "\(fault)"])
    }
  }

  private func sweep(now: Date) async throws {
    let limit = now.addingTimeInterval(-TimeInterval(retentionDays) * 86_400)
    let log = EventLog(store: store)
    while try await log.sweep(olderThan: limit) > 0, !Task.isCancelled {}
  }
}
