import Synchronization

/// Limits how many calls may be in progress at the same time.
final class CallLimit: Sendable {
  private let maximum: Int
  private let underWay = Mutex(0)

  init(_ maximum: Int) { self.maximum = maximum }

  /// - Parameter reserved: The number of calls that stay free for other callers.
  /// - Returns: False if there are too many calls. After true the caller must call ``leave()``.
  func enter(leaving reserved: Int = 0) -> Bool {
    underWay.withLock { underWay in
      guard underWay < maximum - reserved else { return false }
      underWay += 1
      return true
    }
  }

  func leave() { underWay.withLock { $0 -= 1 } }
}
