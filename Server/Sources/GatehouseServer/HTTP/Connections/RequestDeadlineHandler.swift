package import NIOCore
package import NIOHTTPTypes

/// Closes a connection whose request doesn't arrive in time. A client that sends single bytes could
/// otherwise hold a connection forever.
///
/// The time for the first request's head begins when the connection opens, the time for a body at
/// its head. Later heads have no time limit of their own: until a head is complete, the connection
/// counts as idle, and is closed by the idle timeout.
package final class RequestDeadlineHandler: ChannelInboundHandler, RemovableChannelHandler {
  package typealias InboundIn = HTTPRequestPart
  package typealias InboundOut = HTTPRequestPart

  private let limit: TimeAmount
  /// When the part that is arriving has to be complete.
  private let deadline: ConnectionDeadline

  package init(limit: TimeAmount, onExpiry: @escaping () -> Void) {
    self.limit = limit
    deadline = ConnectionDeadline { context in
      onExpiry()
      context.close(promise: nil)
    }
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
    case .head: deadline.time = context.eventLoop.now + limit
    case .body: break
    case .end: deadline.time = nil
    }
    context.fireChannelRead(data)
  }

  /// Most requests arrive in one piece and need no timer.
  package func channelReadComplete(context: ChannelHandlerContext) {
    deadline.watch(context)
    context.fireChannelReadComplete()
  }

  package func channelInactive(context: ChannelHandlerContext) {
    deadline.cancel()
    context.fireChannelInactive()
  }

  package func handlerRemoved(context: ChannelHandlerContext) { deadline.cancel() }

  private func begin(_ context: ChannelHandlerContext) {
    deadline.time = context.eventLoop.now + limit
    deadline.watch(context)
  }
}
