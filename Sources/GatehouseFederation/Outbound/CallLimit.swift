import Synchronization

/// How many calls may be under way at once.
final class CallLimit: Sendable {
  private let maximum: Int
  private let underWay = Mutex(0)

  init(_ maximum: Int) { self.maximum = maximum }

  /// False if there are too many; true has to be followed by ``leave()``.
  ///
  /// - Parameter reserved: So many calls are left for others.
  func enter(leaving reserved: Int = 0) -> Bool {
    underWay.withLock { underWay in
      guard underWay < maximum - reserved else { return false }
      underWay += 1
      return true
    }
  }

  func leave() { underWay.withLock { $0 -= 1 } }
}
