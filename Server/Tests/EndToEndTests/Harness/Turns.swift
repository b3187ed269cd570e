import Synchronization

/// The limit on tests that run programs at once. On a few processors, dozens of servers would
/// respond too late for time limits that are meant for a provider that doesn't respond.
///
/// Suites with their own server wait in a separate queue: a suite keeps its turn until its last
/// test has ended, and this test may itself be waiting for the runner to start it.
final class Turns: Sendable {
  static let ofSuites = Turns(4)
  static let ofTests = Turns(4)

  /// Whether the task has a turn. It must not take a second one, for which it could wait forever.
  @TaskLocal private static var isTaken = false

  private struct State {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  private init(_ count: Int) { state = Mutex(State(free: count)) }

  func take<Result: Sendable>(_ body: () async throws -> Result) async rethrows -> Result {
    guard !Self.isTaken else { return try await body() }
    await begin()
    defer { end() }
    return try await Self.$isTaken.withValue(true) { try await body() }
  }

  private func begin() async {
    await withCheckedContinuation { continuation in
      let begins = state.withLock { state in
        guard state.free == 0 else {
          state.free -= 1
          return true
        }
        state.waiting.append(continuation)
        return false
      }
      if begins { continuation.resume() }
    }
  }

  /// Gives the turn to the task that has waited longest.
  private func end() {
    let next = state.withLock { state in
      guard state.waiting.isEmpty else { return Optional(state.waiting.removeFirst()) }
      state.free += 1
      return nil
    }
    next?.resume()
  }
}
