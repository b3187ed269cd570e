import Dispatch
public import Foundation

/// The device's clock and timer. Tests replace them, so that they don't have to wait.
public protocol ClientClock: Sendable {
  var now: Date { get }
  /// - Parameter duration: In seconds.
  /// - Throws: `CancellationError` when the task is cancelled.
  func sleep(for duration: TimeInterval) async throws
}

public struct SystemClock: ClientClock {
  public init() {}
  public var now: Date { Date() }
  public func sleep(for duration: TimeInterval) async throws {
    // `UInt64` traps at what isn't a number or doesn't fit.
    guard duration > 0 else { return try Task.checkCancellation() }
    try await Task.sleep(nanoseconds: UInt64(min(duration, 1e9) * 1e9))
  }
}

/// A clock that nobody can set, for the time between two events in this process. It may stand still while
/// the device sleeps. `ContinuousClock` needs iOS 16.
enum Uptime {
  static var seconds: TimeInterval {
    TimeInterval(DispatchTime.now().uptimeNanoseconds) / 1_000_000_000
  }
}
