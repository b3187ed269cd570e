public import Foundation
public import GatehouseClient
import GatehouseProtocol

/// Time that passes only when a test moves it. It begins on 15 January 2027 at 08:00 UTC.
public final class TestClock: ClientClock {
  private static let start = Date(timeIntervalSince1970: 1_800_000_000)
  /// A shorter sleep is a pause between two attempts. Seconds.
  private static let longestPause: TimeInterval = 10

  private let time = Locked(start)

  public init() {}

  public var now: Date { time.withLock { $0 } }

  /// Moves the clock. Wakes nobody who sleeps.
  ///
  /// - Parameter seconds: A negative number moves the clock back.
  public func advance(by seconds: TimeInterval) { time.withLock { $0.addTimeInterval(seconds) } }

  /// A sleep of less than ten seconds ends at once, so that a test doesn't wait between attempts. A longer
  /// one ends only when its task is cancelled: a client then does nothing in the background, such as a
  /// refresh ahead of time, and a test sees only its own calls.
  public func sleep(for duration: TimeInterval) async throws {
    try Task.checkCancellation()
    guard duration >= Self.longestPause else { return }
    try await Task.sleep(nanoseconds: 365 * 86_400 * 1_000_000_000)
  }
}
