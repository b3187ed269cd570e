/// Leaves time for requests while many watchers are told.
///
/// Each watcher that is told wakes the task of its connection. If thousands were woken at once, a request that comes then
/// would wait for all of them.
package struct WatchPace: Sendable {
  /// Woken watchers between two pauses.
  package static let batch = 64
  private let takePause: @Sendable () async throws -> Void
  private var woken = 0

  package init(pause: @escaping @Sendable () async throws -> Void) { takePause = pause }

  /// With ``batch``: at most 12,800 watchers a second. Waking a batch takes about half of this time.
  package static let pause: @Sendable () async throws -> Void = {
    try await Task.sleep(for: .milliseconds(5))
  }

  /// To be called before a watcher is told.
  mutating func wake() async throws {
    if woken == Self.batch {
      woken = 0
      try await takePause()
    }
    woken += 1
  }
}
