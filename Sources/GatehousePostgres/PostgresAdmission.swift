import Foundation

/// How many transactions run at the same time: at most one on each connection, and fewer while they disturb
/// each other.
///
/// PostgreSQL aborts a transaction that it can't serialize with others, and it has to run again. The more
/// run at once, the more are aborted; on a busy server with a small database, more than half of them. So the
/// limit falls a little with each that is aborted and rises a little with each that succeeds, as TCP finds its
/// rate. It settles where about one in fifty is aborted, but not below four: commits would wait for the disk one
/// by one.
final class PostgresAdmission: @unchecked Sendable {
  private let condition = NSCondition()
  private let greatest: Double
  private var limit: Double
  private var running = 0

  private static let least = 4.0
  private static let fall = 0.5
  private static let rise = 0.01

  init(greatest: Int) {
    self.greatest = Double(max(1, greatest))
    limit = self.greatest
  }

  /// Waits until a transaction may run. Blocks its thread.
  func enter() {
    condition.lock()
    defer { condition.unlock() }
    while running >= Int(limit) { condition.wait() }
    running += 1
  }

  func leave() {
    condition.lock()
    defer { condition.unlock() }
    running -= 1
    condition.signal()
  }

  func noteSuccess() {
    condition.lock()
    defer { condition.unlock() }
    let before = Int(limit)
    limit = min(greatest, limit + Self.rise)
    if Int(limit) > before { condition.signal() }
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
