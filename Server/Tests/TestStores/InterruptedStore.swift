package import Foundation
package import GatehouseServer
import Synchronization

/// Another store, before whose writes something happens: a write fails, or another server acts meanwhile.
package final class InterruptedStore: Store {
  private let store: any Store
  private let beforeWrite: @Sendable (_ number: Int) async throws -> Void
  private let writes = Mutex(0)

  /// - Parameter beforeWrite: Called before each write, with its number from 1 on. If it throws, the write fails
  ///   with this error, and nothing is written.
  package init(
    _ store: any Store, beforeWrite: @escaping @Sendable (_ number: Int) async throws -> Void
  ) {
    (self.store, self.beforeWrite) = (store, beforeWrite)
  }

  package func write<Result: Sendable>(
    _ body: @escaping @Sendable (Transaction) throws -> Result
  ) async throws -> Result {
    let number = writes.withLock { writes in
      writes += 1
      return writes
    }
    try await beforeWrite(number)
    return try await store.write(body)
  }

  package func read<Result: Sendable>(
    _ body: @escaping @Sendable (Transaction) throws -> Result
  ) async throws -> Result { try await store.read(body) }

  package func changeCounter() async throws -> Int64 { try await store.changeCounter() }

  package func databaseTime() async throws -> Date? { try await store.databaseTime() }

  package var fault: StoreError? { store.fault }

  package var unreachableSince: ContinuousClock.Instant? { store.unreachableSince }

  package func close() async { await store.close() }
}
