import Foundation
import GatehouseProtocol

/// The client's unstructured tasks.
///
/// ``run(_:)`` is for work that several callers share. There is one timer and one listener: a new
/// one replaces the former, and both end with the client.
final class BackgroundWork: Sendable {
  private struct State {
    var timer: Task<Void, Never>?
    var listening: Task<Void, Never>?
    var isClosed = false
  }

  private let state = Locked(State())

  static func run(_ work: @escaping @Sendable () async -> Void) { Task { await work() } }

  /// Runs `work` after `duration` seconds. It replaces work that is already scheduled.
  func schedule(
    after duration: TimeInterval, on clock: any ClientClock,
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

  /// Runs `work`, which listens. It replaces the current listener; nil only ends that.
  func listen(_ work: (@Sendable () async -> Void)?) {
    state.withLock { state in
      state.listening?.cancel()
      state.listening = nil
      guard let work, !state.isClosed else { return }
      state.listening = Task { await work() }
    }
  }

  /// Ends the timer and the listener. None can be started after that.
  func close() {
    state.withLock { state in
      state.isClosed = true
      state.timer?.cancel()
      state.timer = nil
      state.listening?.cancel()
      state.listening = nil
    }
  }

  deinit { close() }
}
