import Dispatch
import GatehouseServer
import Synchronization

/// Blocks one thread until it is opened.
final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  private let isOpen = Mutex(false)

  func wait() { semaphore.wait() }

  func open() {
    let isFirst = isOpen.withLock { isOpen in
      defer { isOpen = true }
      return !isOpen
    }
    if isFirst { semaphore.signal() }
  }
}

/// Runs `body` while the store's writer is blocked in a transaction, until `body` opens the gate.
func withHeldWriter(
  of store: SQLiteStore, _ body: (Gate) async throws -> Void
) async throws {
  let gate = Gate()
  let (begun, signal) = AsyncStream.makeStream(of: Void.self)
  async let held: Void = store.write { _ in
    signal.yield()
    gate.wait()
  }
  for await _ in begun { break }
  defer { gate.open() }
  try await body(gate)
  gate.open()
  try await held
}

/// Waits until `count` writes are waiting.
func waitingWrites(_ count: Int, of store: SQLiteStore) async {
  while store.waitingWrites < count { await Task.yield() }
}
