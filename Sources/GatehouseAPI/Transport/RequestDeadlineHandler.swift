package import NIOCore
package import NIOHTTPTypes

/// Closes a connection whose request doesn't arrive in time: a client that sends a byte now and then
/// would hold it for ever.
///
/// The first request's head has its time from the moment the connection opens, a body from its head.
/// A later head isn't timed by itself: until it is whole, the connection is as idle as one on which
/// nothing comes, and is closed as such.
package final class RequestDeadlineHandler: ChannelInboundHandler, RemovableChannelHandler {
  package typealias InboundIn = HTTPRequestPart
  package typealias InboundOut = HTTPRequestPart

  private let limit: TimeAmount
  /// When what is arriving has to be there.
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

  /// Most requests are there in one piece, and need no timer.
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
