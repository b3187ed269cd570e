package import Foundation
import GatehouseProtocol
import Synchronization

/// Checks for `/readyz` whether this server should get requests.
///
/// A store with a fault isn't ready any more, although some operations succeed.
///
/// If the database is on this machine, the check reads and writes: on a full disk a store can read, but every
/// sign-in fails. However often it is called, it begins a write at most once a second, because every client may
/// call it. Calls in between have the result of the last write that ended.
///
/// If servers on several machines share the database, the check doesn't ask it. During an outage all servers
/// would be taken out at once, and requests refused that could have waited for the next primary. Only a server
/// that hasn't reached the database for a minute isn't ready: others may reach it.
package final class StoreReadiness: Sendable {
  private let store: any Store
  private let isShared: Bool
  private let state = Mutex(State())

  private struct State {
    /// When the last write began.
    var attemptedAt: Date?
    /// The error of the last write that ended; nil if it succeeded, or if none has ended.
    var failure: (any Error)?
  }

  private static let secondsBetweenWrites: TimeInterval = 1
  /// About as much as a sign-in writes: less might fit where a sign-in doesn't.
  private static let byteCount = 8 * 1024
  private static let name = "readiness"

  /// Longer than a failover takes with Patroni's default settings.
  private static let longestOutage = Duration.seconds(60)

  /// - Parameter isShared: Whether servers on several machines use the database.
  package init(_ store: any Store, isShared: Bool) {
    self.store = store
    self.isShared = isShared
  }

  /// - Throws: The errors of the store.
  package func check(now: Date, instant: ContinuousClock.Instant = .now) async throws {
    // 503, as for every other reason.
    if let fault = store.fault { throw StoreError.unavailable(fault.description) }
    guard !isShared else {
      guard let start = store.unreachableSince, instant - start > Self.longestOutage else { return }
      throw StoreError.unavailable("this server doesn't reach the database")
    }
    _ = try await store.changeCounter()
    guard try begin(now) else { return }
    // Different bytes each time: SQLite writes nothing if a value is unchanged.
    var generator = SystemRandomNumberGenerator()
    let value = generator.bytes(Self.byteCount)
    do {
      try await store.write { try $0.setServerValue(Self.name, to: value) }
      state.withLock { $0.failure = nil }
    } catch {
      state.withLock { $0.failure = error }
      throw error
    }
  }

  /// - Returns: Whether the caller must write now.
  /// - Throws: The last write's error if it is too early for another write.
  private func begin(_ now: Date) throws -> Bool {
    try state.withLock { state in
      let last = state.attemptedAt
      if let last, abs(now.timeIntervalSince(last)) < Self.secondsBetweenWrites {
        if let failure = state.failure { throw failure }
        return false
      }
      state.attemptedAt = now
      return true
    }
  }
}
