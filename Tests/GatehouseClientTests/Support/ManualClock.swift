import Foundation
import GatehouseClient
import GatehouseProtocol

/// Time that passes only when a test advances it.
final class ManualClock: ClientClock {
  private struct Sleeper {
    var wakesAt: Date
    var continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Date(timeIntervalSince1970: 1_800_000_000)
    var lastSleeper = 0
    var sleepers: [Int: Sleeper] = [:]
    var cancelled: Set<Int> = []
    /// Sleeps end at once, and advance the time.
    var isImpatient = false
    var slept: [TimeInterval] = []
  }

  private let state = Locked(State())

  /// - Parameter isImpatient: Sleeping takes no time, for pauses between attempts.
  init(isImpatient: Bool = false) { state.withLock { $0.isImpatient = isImpatient } }

  var now: Date { state.withLock(\.now) }

  /// The durations of all sleeps, including the current ones.
  var slept: [TimeInterval] { state.withLock(\.slept) }

  var sleeperCount: Int { state.withLock(\.sleepers.count) }

  func advance(seconds: Double) {
    let woken = state.withLock { state in
      state.now += seconds
      let woken = state.sleepers.filter { $0.value.wakesAt <= state.now }
      for id in woken.keys { state.sleepers[id] = nil }
      return woken.values.map(\.continuation)
    }
    for continuation in woken { continuation.resume() }
  }

  func sleep(for duration: TimeInterval) async throws {
    let id = state.withLock { state in
      state.slept.append(duration)
      state.lastSleeper += 1
      return state.lastSleeper
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isOver: Result<Void, any Error>? = state.withLock { state in
          if state.cancelled.contains(id) || Task.isCancelled {
            return .failure(CancellationError())
          }
          if state.isImpatient {
            state.now += duration
            return .success(())
          }
          state.sleepers[id] = Sleeper(
            wakesAt: state.now + duration, continuation: continuation)
          return nil
        }
        if let isOver { continuation.resume(with: isOver) }
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        state.cancelled.insert(id)
        return state.sleepers.removeValue(forKey: id)
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }
}
