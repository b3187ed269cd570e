package import NIOCore
package import NIOHTTPTypes

/// Closes a connection whose request doesn't arrive in time: whoever sends a byte now and then would
/// hold it for ever.
///
/// The first request's head has its time from the moment the connection opens, a body from its head.
/// A later head isn't timed by itself: until it is whole, the connection is as idle as one on which
/// nothing comes, and is closed as such.
package final class RequestDeadlineHandler: ChannelInboundHandler, RemovableChannelHandler {
  package typealias InboundIn = HTTPRequestPart
  package typealias InboundOut = HTTPRequestPart

  private let limit: TimeAmount
  private let onExpiry: () -> Void
  /// When what is arriving has to be there; nil while nothing is.
  private var deadline: NIODeadline?
  private var timer: Scheduled<Void>?

  package init(limit: TimeAmount, onExpiry: @escaping () -> Void) {
    self.limit = limit
    self.onExpiry = onExpiry
  }

  package func handlerAdded(context: ChannelHandlerContext) {
    if context.channel.isActive { begin(context) }
  }

  package func channelActive(context: ChannelHandlerContext) {
    begin(context)
    context.fireChannelActive()
  }

  package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head: deadline = context.eventLoop.now + limit
    case .body: break
    case .end: deadline = nil
    }
    context.fireChannelRead(data)
  }

  /// Most requests are there in one piece, and need no timer.
  package func channelReadComplete(context: ChannelHandlerContext) {
    schedule(context)
    context.fireChannelReadComplete()
  }

  package func channelInactive(context: ChannelHandlerContext) {
    end()
    context.fireChannelInactive()
  }

  package func handlerRemoved(context: ChannelHandlerContext) { end() }

  private func begin(_ context: ChannelHandlerContext) {
    deadline = context.eventLoop.now + limit
    schedule(context)
  }

  private func end() {
    deadline = nil
    timer?.cancel()
    timer = nil
  }

  private func schedule(_ context: ChannelHandlerContext) {
    guard timer == nil, let deadline else { return }
    timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) {
      self.timer = nil
      guard let deadline = self.deadline else { return }
      // Another request may be arriving by now.
      guard deadline <= context.eventLoop.now else { return self.schedule(context) }
      self.onExpiry()
      context.close(promise: nil)
    }
  }
}
