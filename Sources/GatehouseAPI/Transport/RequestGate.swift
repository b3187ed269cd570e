package import NIOCore

/// Holds a client's bytes back while too many of its requests wait for their answers.
///
/// A client may send many requests without waiting for answers (pipelining, RFC 9112 §9.3.2). Parsed,
/// each takes up to a hundred times its bytes. So bytes go on in small pieces, and none while `limit`
/// requests wait; nor is more read from the client then.
///
/// Stands before the HTTP decoder. ``RequestCountHandler``, behind it, tells what was parsed and
/// answered.
package final class RequestGate: ChannelDuplexHandler {
  package typealias InboundIn = ByteBuffer
  package typealias InboundOut = ByteBuffer
  package typealias OutboundIn = ByteBuffer
  package typealias OutboundOut = ByteBuffer

  /// The shortest request has 18 bytes, so that a piece holds 57 at most.
  private static let pieceBytes = 1024
  /// Reading stops while bytes are held, but a client that closes its side is read to the end.
  private static let maximumBytes = 256 * 1024

  /// At least 2: the last request that was parsed may have a body that is still to come.
  private let limit: Int
  private var context: ChannelHandlerContext?
  /// Arrived, and not passed on yet.
  private var held = ByteBuffer()
  /// Parsed, and not answered yet.
  private var requestsWaiting = 0
  private var isPassing = false
  private var isReadWanted = false
  private var isInputClosed = false

  package init(limit: Int) { self.limit = max(2, limit) }

  package func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  package func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    if held.readableBytes == 0 { held = bytes } else { held.writeBuffer(&bytes) }
    guard held.readableBytes <= Self.maximumBytes else { return context.close(promise: nil) }
    pass(context)
  }

  package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ChannelEvent.inputClosed = event, held.readableBytes > 0 {
      isInputClosed = true
    } else {
      context.fireUserInboundEventTriggered(event)
    }
  }

  package func channelInactive(context: ChannelHandlerContext) {
    held = ByteBuffer()
    context.fireChannelInactive()
  }

  package func read(context: ChannelHandlerContext) {
    if held.readableBytes > 0 { isReadWanted = true } else { context.read() }
  }

  /// A request's head was parsed.
  func requestArrived() { requestsWaiting += 1 }

  /// An answer was written.
  func requestAnswered() {
    requestsWaiting -= 1
    guard held.readableBytes > 0, let context else { return }
    // Not from within a write.
    context.eventLoop.assumeIsolated().execute {
      guard let context = self.context, self.held.readableBytes > 0 else { return }
      self.pass(context)
      context.fireChannelReadComplete()
      if self.held.readableBytes == 0 { self.catchUp(context) }
    }
  }

  private func pass(_ context: ChannelHandlerContext) {
    guard !isPassing else { return }
    isPassing = true
    while requestsWaiting < limit,
      let piece = held.readSlice(length: min(Self.pieceBytes, held.readableBytes)),
      piece.readableBytes > 0
    {
      context.fireChannelRead(wrapInboundOut(piece))
    }
    isPassing = false
    if held.readableBytes == 0 { held = ByteBuffer() }
  }

  /// Everything was passed on: does what had to wait for that.
  private func catchUp(_ context: ChannelHandlerContext) {
    if isInputClosed {
      isInputClosed = false
      context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    }
    if isReadWanted {
      isReadWanted = false
      context.read()
    }
  }
}
