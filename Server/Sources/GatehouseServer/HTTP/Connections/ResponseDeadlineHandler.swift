import HTTPTypes
package import NIOCore
package import NIOHTTPTypes

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A response that lasts for as long as its client stays.
enum EventStream {
  /// The handlers of a connection recognise a stream by it (WHATWG HTML §9.2).
  static let contentType = "text/event-stream"
}

/// Closes a connection whose client doesn't read its responses. Otherwise the server would keep the
/// responses' bytes, and the requests after them, forever.
///
/// The time for a response begins at its head, or when the previous response was taken. "Taken"
/// means that the operating system has all its bytes; TCP repeats lost bytes and gives up by
/// itself.
///
/// A stream of events has no end by which its time could be measured. So each of its pieces counts
/// as a response. The connection of a stream is closed as soon as the client has closed its side:
/// otherwise the server would notice this only when it has something to write.
package final class ResponseDeadlineHandler: ChannelDuplexHandler, RemovableChannelHandler {
  package typealias InboundIn = HTTPRequestPart
  package typealias InboundOut = HTTPRequestPart
  package typealias OutboundIn = HTTPResponsePart
  package typealias OutboundOut = HTTPResponsePart

  private let limit: TimeAmount
  /// Responses that have begun and aren't taken yet.
  private var answersWaiting = 0
  private var isStreaming = false
  /// The client has closed its side.
  private var isInputClosed = false
  /// When the first of the waiting responses has to be taken.
  private let deadline: ConnectionDeadline

  package init(limit: TimeAmount, onExpiry: @escaping () -> Void) {
    self.limit = limit
    deadline = ConnectionDeadline { context in
      onExpiry()
      Self.reset(context)
    }
  }

  package func write(
    context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
  ) {
    switch unwrapOutboundIn(data) {
    // An interim response (RFC 9110 §15.2): the final response follows.
    case .head(let response) where response.status.kind == .informational:
      context.write(data, promise: promise)
    case .head(let response):
      isStreaming = response.headerFields[.contentType] == EventStream.contentType
      begin(context)
      if isStreaming, isInputClosed {
        context.close(promise: nil)
        promise?.fail(ChannelError.ioOnClosedChannel)
      } else if isStreaming {
        writeLast(context, data, promise)
      } else {
        context.write(data, promise: promise)
      }
    case .body where isStreaming:
      begin(context)
      writeLast(context, data, promise)
    case .body: context.write(data, promise: promise)
    case .end:
      if isStreaming { begin(context) }
      isStreaming = false
      writeLast(context, data, promise)
    }
  }

  /// A response, or a piece of a stream, begins that the client has to take.
  private func begin(_ context: ChannelHandlerContext) {
    answersWaiting += 1
    if answersWaiting == 1 { deadline.time = context.eventLoop.now + limit }
  }

  /// Writes the last part of a response or of a stream's piece.
  private func writeLast(
    _ context: ChannelHandlerContext, _ data: NIOAny, _ promise: EventLoopPromise<Void>?
  ) {
    let promise = promise ?? context.eventLoop.makePromise()
    promise.futureResult.assumeIsolated().whenComplete { _ in self.answerTaken(context) }
    context.write(data, promise: promise)
  }

  package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    context.fireUserInboundEventTriggered(event)
    guard case ChannelEvent.inputClosed = event else { return }
    isInputClosed = true
    if isStreaming { context.close(promise: nil) }
  }

  /// Most responses are taken at once and need no timer.
  package func flush(context: ChannelHandlerContext) {
    context.flush()
    deadline.watch(context)
  }

  package func handlerRemoved(context: ChannelHandlerContext) { deadline.cancel() }

  private func answerTaken(_ context: ChannelHandlerContext) {
    answersWaiting -= 1
    deadline.time = answersWaiting > 0 ? context.eventLoop.now + limit : nil
  }

  /// Closes without sending the remaining bytes: the system would otherwise keep them for minutes.
  private static func reset(_ context: ChannelHandlerContext) {
    if let socket = context.channel as? any SocketOptionProvider {
      socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in }
    }
    context.close(promise: nil)
  }
}
