package import NIOCore

/// Holds back a client's bytes while too many of its requests are unanswered.
///
/// A client may send many requests without waiting for responses (pipelining, RFC 9112 §9.3.2). A
/// parsed request takes up to a hundred times the memory of its bytes. So bytes are passed on in
/// small pieces, and none while `limit` requests are unanswered; then nothing more is read from the
/// client.
///
/// It is placed before the HTTP decoder. ``RequestCountHandler``, behind it, reports which requests
/// were parsed and answered.
package final class RequestGate: ChannelDuplexHandler {
  package typealias InboundIn = ByteBuffer
  package typealias InboundOut = ByteBuffer
  package typealias OutboundIn = ByteBuffer
  package typealias OutboundOut = ByteBuffer

  /// The shortest request has 18 bytes, so a piece contains at most 57 requests.
  private static let pieceBytes = 1024
  /// Reading stops while bytes are held. But if a client closes its sending side, its bytes are
  /// read to the end. If more bytes are held than this, the connection is closed.
  private static let maximumBytes = 256 * 1024

  /// At least 2, because the body of the last parsed request may still be arriving.
  private let limit: Int
  private var context: ChannelHandlerContext?
  /// Received, and not passed on yet.
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

  /// A response was written.
  func requestAnswered() {
    requestsWaiting -= 1
    guard held.readableBytes > 0, let context else { return }
    // Not during a write.
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

  /// All held bytes were passed on: does what had to wait for that.
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
