import Synchronization

/// The client's tasks that nobody waits for by structure.
///
/// ``run(_:)`` is for what several callers share. A timer is one of a kind: the next takes its
/// place, and it ends with the client.
final class BackgroundWork: Sendable {
  private struct State {
    var timer: Task<Void, Never>?
    var isClosed = false
  }

  private let state = Mutex(State())

  static func run(_ work: @escaping @Sendable () async -> Void) { Task { await work() } }

  /// Runs `work` after `duration`, instead of what waits.
  func schedule(
    after duration: Duration, on clock: any ClientClock,
    _ work: @escaping @Sendable () async -> Void
  ) {
    state.withLock { state in
      state.timer?.cancel()
      state.timer = nil
      guard !state.isClosed else { return }
      state.timer = Task {
        do { try await clock.sleep(for: duration) } catch { return }
        guard !Task.isCancelled else { return }
        await work()
      }
    }
  }

  func cancel() {
    state.withLock { state in
      state.timer?.cancel()
      state.timer = nil
    }
  }

  /// Ends the timer, and lets none begin.
  func close() {
    state.withLock { state in
      state.isClosed = true
      state.timer?.cancel()
      state.timer = nil
    }
  }

  deinit { close() }
}
