import Dispatch
import Synchronization

/// A few threads for slow, CPU-bound work, with a limit on how much may wait.
///
/// Hashing a password takes tens of milliseconds. On the threads that handle requests, it would
/// delay all other requests.
final class HashingWorkers: Sendable {
  private let queues: [DispatchQueue]
  private let limit: Int
  private let state = Mutex((waiting: 0, next: 0))

  init(threads: Int, limit: Int) {
    queues = (0..<max(1, threads)).map { DispatchQueue(label: "gatehouse.passwords.\($0)") }
    self.limit = limit
  }

  /// - Throws: ``AccountsError/overloaded`` if `limit` pieces of work are waiting or running.
  func run<Result: Sendable>(
    _ work: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    let queue = try state.withLock { state throws(AccountsError) in
      guard state.waiting < limit else { throw .overloaded }
      state.waiting += 1
      state.next = (state.next + 1) % queues.count
      return queues[state.next]
    }
    defer { state.withLock { $0.waiting -= 1 } }
    return try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Swift.Result(catching: work)) }
    }
  }
}
