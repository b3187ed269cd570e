package import Foundation
package import GatehouseAccounts
import GatehouseModel
import Synchronization

/// Checks that the store can read and write, for `/readyz`.
///
/// A store that has met a damage in its file isn't ready any more: some reads succeed, others fail.
///
/// On a full disk a store can read, but every sign-in fails. So this check also writes. However often
/// it is called, it begins a write at most once a second, because every client may call it. Calls in
/// between have the result of the last write that ended.
package final class StoreReadiness: Sendable {
  private let store: any Store
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

  package init(_ store: any Store) { self.store = store }

  /// - Throws: The errors of the store.
  package func check(now: Date) async throws {
    // 503, as for every other reason.
    if let damage = store.damage { throw StoreError.unavailable(damage.description) }
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
