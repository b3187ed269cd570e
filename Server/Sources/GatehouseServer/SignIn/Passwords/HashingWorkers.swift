import Dispatch
import Foundation
import Metrics
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A few threads for slow, CPU-bound work, with a limit on how much may wait.
///
/// Hashing a password takes tens of milliseconds. On the threads that handle requests, it would
/// delay all other requests. The threads have a low priority, so that they hardly slow down the
/// threads that handle requests.
///
/// A thread starts when there is work for it, and ends when the workers are released.
final class HashingWorkers: Sendable {
  private let queue = HashingQueue()
  private let threads: Int
  private let limit: Int
  private let state = Mutex((waiting: 0, started: 0))
  private let gauge = Metric.passwordsWaiting.gauge()

  init(threads: Int, limit: Int) {
    self.threads = max(1, threads)
    self.limit = limit
  }

  deinit { queue.end(threads: state.withLock { $0.started }) }

  /// - Throws: ``AccountsError/overloaded`` if `limit` pieces of work are waiting or running.
  func run<Result: Sendable>(
    _ work: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    let startsThread = try state.withLock { state throws(AccountsError) in
      guard state.waiting < limit else { throw .overloaded }
      state.waiting += 1
      gauge.record(state.waiting)
      guard state.started < min(threads, state.waiting) else { return false }
      state.started += 1
      return true
    }
    defer {
      state.withLock { state in
        state.waiting -= 1
        gauge.record(state.waiting)
      }
    }
    if startsThread { queue.startThread() }
    return try await withCheckedThrowingContinuation { continuation in
      queue.put { continuation.resume(with: Swift.Result(catching: work)) }
    }
  }
}

/// The work that waits. The threads hold a reference to the queue and none to ``HashingWorkers``, so
/// that the workers can be released, which ends the threads.
private final class HashingQueue: Sendable {
  typealias Work = @Sendable () -> Void

  /// Linux's niceness of the threads, 0 to 19. With 10, the scheduler gives a thread that handles
  /// requests nine times as much of a core as a hashing thread, if both want all of it.
  private static let niceness: Int32 = 10

  private let waiting = Mutex<[Work]>([])
  /// Signalled once for each piece of work, and once for each thread that has to end.
  private let bell = DispatchSemaphore(value: 0)

  func put(_ work: @escaping Work) {
    waiting.withLock { $0.append(work) }
    bell.signal()
  }

  func end(threads: Int) {
    for _ in 0..<threads { bell.signal() }
  }

  func startThread() {
    let thread = Thread {
      Self.lowerPriority()
      while let work = self.next() { work() }
    }
    thread.name = "gatehouse.passwords"
    thread.qualityOfService = .utility
    thread.start()
  }

  /// Waits for work. Nil if the thread has to end. By then, threads have taken all work that was put
  /// in the queue.
  private func next() -> Work? {
    bell.wait()
    return waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
  }

  private static func lowerPriority() {
    // On Linux, 0 is the calling thread and not the process (sched(7), "The nice value"). Elsewhere
    // the quality of service has the same effect.
    #if canImport(Glibc)
      _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
    #elseif canImport(Musl)
      _ = setpriority(PRIO_PROCESS, 0, niceness)
    #endif
  }
}
