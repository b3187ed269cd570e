import NIOCore

/// A time by which something has to happen on a connection. The time may change often. There is at
/// most one timer: if the time was moved when the timer fires, the timer starts again.
///
/// Use it only on the connection's event loop.
final class ConnectionDeadline {
  /// Nil while nothing is expected.
  var time: NIODeadline?
  private var timer: Scheduled<Void>?
  private let onExpiry: (ChannelHandlerContext) -> Void

  /// - Parameter onExpiry: Called when the time has passed, unless it was changed or removed.
  init(onExpiry: @escaping (ChannelHandlerContext) -> Void) { self.onExpiry = onExpiry }

  /// Starts the timer if there is a time and no timer yet.
  func watch(_ context: ChannelHandlerContext) {
    guard timer == nil, let time else { return }
    timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: time) {
      self.timer = nil
      guard let time = self.time else { return }
      guard time <= context.eventLoop.now else { return self.watch(context) }
      self.onExpiry(context)
    }
  }

  func cancel() {
    time = nil
    timer?.cancel()
    timer = nil
  }
}
