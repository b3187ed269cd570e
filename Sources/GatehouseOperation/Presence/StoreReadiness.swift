package import Foundation
package import GatehouseAccounts
import Synchronization

/// Whether the store reads and writes, for `/readyz`.
///
/// A store on a full disk answers reads, and refuses every sign-in. So this writes, but no more than
/// once a second, however often it is asked.
package final class StoreReadiness: Sendable {
  private let store: any Store
  /// When something could last be written.
  private let lastWrite = Mutex<Date?>(nil)

  private static let secondsBetweenWrites: TimeInterval = 1
  /// About what a sign-in writes: less might still find room where a sign-in doesn't.
  private static let byteCount = 8 * 1024
  private static let name = "readiness"

  package init(_ store: any Store) { self.store = store }

  /// - Throws: What the store throws.
  package func check(now: Date) async throws {
    _ = try await store.changeCounter()
    guard isDue(now) else { return }
    // Other bytes each time: SQLite writes nothing where a value is what it was.
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
