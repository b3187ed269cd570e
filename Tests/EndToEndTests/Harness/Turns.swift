import Synchronization

/// How many tests run programs at once. Dozens of servers on a few processors answer each other too
/// late for limits that are meant for a provider that hangs.
///
/// Suites with a server of their own wait in another queue than single tests: a suite holds its turn
/// until its last test has ended, and those may be waiting for the runner to let them begin.
final class Turns: Sendable {
  static let ofSuites = Turns(4)
  static let ofTests = Turns(4)

  /// Whether the task has a turn: it takes no second one, for which it could wait for ever.
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

  /// The turn goes to whoever waits longest.
  private func end() {
    let next = state.withLock { state in
      guard state.waiting.isEmpty else { return Optional(state.waiting.removeFirst()) }
      state.free += 1
      return nil
    }
    next?.resume()
  }
}
