package import Foundation
package import GatehouseAccounts
import Synchronization

/// Checks that the store can read and write, for `/readyz`.
///
/// On a full disk a store can read, but every sign-in fails. So this check also writes. After a
/// successful write, it doesn't write again for a second, however often it is called.
package final class StoreReadiness: Sendable {
  private let store: any Store
  /// When a write last succeeded.
  private let lastWrite = Mutex<Date?>(nil)

  private static let secondsBetweenWrites: TimeInterval = 1
  /// About as much as a sign-in writes: less might fit where a sign-in doesn't.
  private static let byteCount = 8 * 1024
  private static let name = "readiness"

  package init(_ store: any Store) { self.store = store }

  /// - Throws: The errors of the store.
  package func check(now: Date) async throws {
    _ = try await store.changeCounter()
    guard isDue(now) else { return }
    // Different bytes each time: SQLite writes nothing if a value is unchanged.
    let value = (0..<Self.byteCount).map { _ in UInt8.random(in: .min ... .max) }
    try await store.write { try $0.setServerValue(Self.name, to: value) }
    lastWrite.withLock { $0 = now }
  }

  private func isDue(_ now: Date) -> Bool {
    lastWrite.withLock { last in
      last.map { abs(now.timeIntervalSince($0)) >= Self.secondsBetweenWrites } ?? true
    }
  }
}
