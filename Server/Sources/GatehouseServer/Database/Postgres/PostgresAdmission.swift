import Foundation

/// How many transactions run at the same time: at most one on each connection, and fewer while
/// PostgreSQL aborts many of them.
///
/// PostgreSQL aborts a transaction that it can't serialize with others, and the transaction has to
/// run again. The more transactions run at the same time, the more are aborted; on a busy server
/// with a small database, more than half of them. So each abort lowers the limit a little, and each
/// success raises it a little, like TCP's congestion control. The limit settles where about one
/// transaction in fifty is aborted. It is at least four (or the number of connections, if there are
/// fewer), because otherwise commits would wait for the disk one after the other. A transaction that
/// was aborted several times runs without others.
/// The lock of the state is `condition`.
final class PostgresAdmission: @unchecked Sendable {
  private let condition = NSCondition()
  private let greatest: Double
  private var limit: Double
  /// How many have entered. Some of them wait for an operation.
  private var admitted = 0
  private var running = 0
  /// How many transactions wait until they can run without others. Meanwhile no other begins.
  private var waitingForOthers = 0
  private var runsAlone = false

  private static let least = 4.0
  private static let fall = 0.5
  private static let rise = 0.01

  init(greatest: Int) {
    self.greatest = Double(max(1, greatest))
    limit = self.greatest
  }

  /// Waits until a transaction may run, before it is taken from the queue. Blocks its thread.
  func enter() {
    condition.lock()
    defer { condition.unlock() }
    while admitted >= Int(limit) { condition.wait() }
    admitted += 1
  }

  func leave() {
    condition.lock()
    defer { condition.unlock() }
    admitted -= 1
    wake()
  }

  /// Waits while a transaction runs, or wants to run, without others. Blocks its thread.
  func begin() {
    condition.lock()
    defer { condition.unlock() }
    while waitingForOthers > 0 || runsAlone { condition.wait() }
    running += 1
  }

  func end() {
    condition.lock()
    defer { condition.unlock() }
    running -= 1
    // Nobody waits for this end otherwise.
    guard runsAlone || waitingForOthers > 0 else { return }
    runsAlone = false
    condition.broadcast()
  }

  /// Waits until all other transactions have ended. Until ``end()`` no other begins. Blocks its
  /// thread. It may be called once, after ``begin()``.
  func waitForOthers() {
    condition.lock()
    defer { condition.unlock() }
    // If two wait, neither must wait for the other.
    running -= 1
    waitingForOthers += 1
    condition.broadcast()
    while running > 0 || runsAlone { condition.wait() }
    waitingForOthers -= 1
    running += 1
    runsAlone = true
  }

  /// Wakes one that waits in ``enter()``. A signal could wake another one, if there are others that
  /// wait.
  private func wake() {
    if waitingForOthers > 0 || runsAlone { condition.broadcast() } else { condition.signal() }
  }

  func noteSuccess() {
    condition.lock()
    defer { condition.unlock() }
    let before = Int(limit)
    limit = min(greatest, limit + Self.rise)
    if Int(limit) > before { wake() }
  }

  func noteAbort() {
    condition.lock()
    defer { condition.unlock() }
    limit = max(min(Self.least, greatest), limit - Self.fall)
  }

  /// For tests.
  var current: Int {
    condition.lock()
    defer { condition.unlock() }
    return Int(limit)
  }
}
