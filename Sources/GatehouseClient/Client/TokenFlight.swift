import GatehouseProtocol

/// One refresh for all callers that wait.
///
/// The refresh runs in its own task, so a caller that stops waiting doesn't end it for the others.
/// The refresh itself stores the result, even if no caller waits any more.
final class TokenFlight: Sendable {
  typealias Landing = Result<IDToken, ClientError>

  private struct State {
    var isRunning = false
    var lastWaiter: UInt64 = 0
    var waiters: [UInt64: CheckedContinuation<Landing, Never>] = [:]
    /// Waiters that were cancelled before they began to wait.
    var cancelled: Set<UInt64> = []
  }

  private enum Boarding { case waits, starts, isCancelled }

  private let state = Locked(State())

  /// How many callers wait now.
  var waiterCount: Int { state.withLock { $0.waiters.count } }

  /// Waits for the refresh in progress, or starts `work` as a new one.
  ///
  /// - Throws: ``ClientError/cancelled`` at once when the caller's task is cancelled.
  func join(_ work: @escaping @Sendable () async -> Landing) async throws(ClientError) -> IDToken {
    let waiter = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    let landing = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        switch board(waiter, continuation) {
        case .waits: break
        case .starts: BackgroundWork.run { self.land(await work()) }
        case .isCancelled: continuation.resume(returning: .failure(.cancelled))
        }
      }
    } onCancel: {
      leave(waiter)
    }
    state.withLock { _ = $0.cancelled.remove(waiter) }
    return try landing.get()
  }

  private func board(
    _ waiter: UInt64, _ continuation: CheckedContinuation<Landing, Never>
  ) -> Boarding {
    state.withLock { state in
      if state.cancelled.contains(waiter) { return .isCancelled }
      state.waiters[waiter] = continuation
      if state.isRunning { return .waits }
      state.isRunning = true
      return .starts
    }
  }

  private func leave(_ waiter: UInt64) {
    let continuation = state.withLock { state in
      let continuation = state.waiters.removeValue(forKey: waiter)
      if continuation == nil { state.cancelled.insert(waiter) }
      return continuation
    }
    continuation?.resume(returning: .failure(.cancelled))
  }

  private func land(_ landing: Landing) {
    let waiters = state.withLock { state in
      let waiters = state.waiters
      state.waiters = [:]
      state.isRunning = false
      return waiters
    }
    for continuation in waiters.values { continuation.resume(returning: landing) }
  }
}
