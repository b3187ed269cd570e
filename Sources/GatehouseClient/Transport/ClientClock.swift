public import Foundation

/// The device's clock and timer. Tests replace them, so that they don't have to wait.
public protocol ClientClock: Sendable {
  var now: Date { get }
  /// - Throws: `CancellationError` when the task is cancelled.
  func sleep(for duration: Duration) async throws
}

public struct SystemClock: ClientClock {
  public init() {}
  public var now: Date { Date() }
  public func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }
}
