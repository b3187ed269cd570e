/// Leaves time for requests while many watchers are told.
///
/// Each watcher that is told wakes the task of its connection. If thousands were woken at once, a
/// request that arrives then would wait for all of them.
package struct WatchPace: Sendable {
  /// Woken watchers between two pauses.
  package static let batch = 64
  /// The most pauses after a batch whose last watcher doesn't take its news: its client may not
  /// read.
  package static let pausesAtMost = 20
  private let takePause: @Sendable () async throws -> Void
  private var woken = 0
  private var last: Watcher?

  package init(pause: @escaping @Sendable () async throws -> Void) { takePause = pause }

  /// Five milliseconds: at most 12,800 watchers are woken in a second.
  package static let pause: @Sendable () async throws -> Void = {
    try await Task.sleep(for: .milliseconds(5))
  }

  /// Call it before a watcher is told. After a batch it pauses until the batch's last watcher has
  /// taken its news, at most ``pausesAtMost`` times.
  mutating func wake(_ watcher: Watcher) async throws {
    if woken == Self.batch {
      woken = 0
      var pauses = 0
      repeat {
        try await takePause()
        pauses += 1
      } while pauses < Self.pausesAtMost && last.map { $0.waiting > 0 } == true
    }
    woken += 1
    last = watcher
  }
}
