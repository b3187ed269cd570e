import HTTPTypes
package import NIOCore
package import NIOHTTPTypes

/// Counts the requests of a connection that have no response yet, for ``RequestGate``. Adds
/// `Connection: close` to the last response before a shutdown (RFC 9112 §9.6).
package final class RequestCountHandler: ChannelDuplexHandler, RemovableChannelHandler {
  package typealias InboundIn = HTTPRequestPart
  package typealias InboundOut = HTTPRequestPart
  package typealias OutboundIn = HTTPResponsePart
  package typealias OutboundOut = HTTPResponsePart

  private var gate: RequestGate?
  private var requestsWaiting = 0
  private var isShuttingDown = false

  package init() {}

  package func handlerAdded(context: ChannelHandlerContext) {
    gate = try? context.pipeline.syncOperations.handler(type: RequestGate.self)
  }

  package func handlerRemoved(context: ChannelHandlerContext) { gate = nil }

  package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .head = unwrapInboundIn(data) {
      requestsWaiting += 1
      gate?.requestArrived()
    }
    context.fireChannelRead(data)
  }

  package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is ChannelShouldQuiesceEvent { isShuttingDown = true }
    context.fireUserInboundEventTriggered(event)
  }

  package func write(
    context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
  ) {
    switch unwrapOutboundIn(data) {
    case .head(var response) where isShuttingDown && requestsWaiting == 1:
      response.headerFields[.connection] = "close"
      context.write(wrapOutboundOut(.head(response)), promise: promise)
    case .end:
      context.write(data, promise: promise)
      requestsWaiting -= 1
      gate?.requestAnswered()
    case .head, .body:
      context.write(data, promise: promise)
    }
  }
}
