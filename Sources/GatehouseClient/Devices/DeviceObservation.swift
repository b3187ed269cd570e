/// Keeps an observer of a device active. Cancelling or releasing it ends the observation.
public final class DeviceObservation: Sendable {
  private let end: @Sendable () -> Void

  /// - Parameter end: Called once or twice.
  public init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  public func cancel() { end() }
  deinit { end() }
}
