public import Foundation
import Dispatch
import Synchronization

/// The expiring activities of one test.
public final class SimulatedActivities: Sendable {
  /// Nil: activities are neither counted nor expired.
  @TaskLocal public static var current: SimulatedActivities?

  private struct State {
    var running = 0
    var blocks: [@Sendable (Bool) -> Void] = []
  }

  private let state = Mutex(State())

  public init() {}

  /// How many activities have begun and not ended.
  public var running: Int { state.withLock { $0.running } }

  /// The system's time for the app is over.
  public func expire() {
    for block in state.withLock({ $0.blocks }) { block(true) }
  }

  fileprivate func perform(_ block: @escaping @Sendable (Bool) -> Void) {
    state.withLock { state in
      state.running += 1
      state.blocks.append(block)
    }
    Thread.detachNewThread {
      block(false)
      self.state.withLock { $0.running -= 1 }
    }
  }
}

// Foundation has this only on Apple's platforms.
extension ProcessInfo {
  public func performExpiringActivity(
    withReason reason: String, using block: @escaping @Sendable (Bool) -> Void
  ) {
    SimulatedActivities.current?.perform(block)
  }
}
