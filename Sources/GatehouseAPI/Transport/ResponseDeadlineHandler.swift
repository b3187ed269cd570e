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

/// Closes a connection whose client doesn't take its answers: their bytes, and the requests behind
/// them, would be kept for ever.
///
/// An answer has its time from its head, or from when the answer before it was taken. "Taken" means
/// that the system has all of its bytes; what it has sent is for TCP to repeat and to give up.
package final class ResponseDeadlineHandler: ChannelOutboundHandler, RemovableChannelHandler {
  package typealias OutboundIn = HTTPResponsePart
  package typealias OutboundOut = HTTPResponsePart

  private let limit: TimeAmount
  private let onExpiry: () -> Void
  /// Answers that have begun and aren't taken.
  private var answersWaiting = 0
  /// When the first of them has to be taken.
  private var deadline: NIODeadline?
  private var timer: Scheduled<Void>?

  package init(limit: TimeAmount, onExpiry: @escaping () -> Void) {
    self.limit = limit
    self.onExpiry = onExpiry
  }

  package func write(
    context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
  ) {
    switch unwrapOutboundIn(data) {
    // A word in between (RFC 9110 §15.2): the answer is still to come.
    case .head(let response) where response.status.kind == .informational: break
    case .head:
      answersWaiting += 1
      if answersWaiting == 1 { deadline = context.eventLoop.now + limit }
    case .body: break
    case .end:
      let promise = promise ?? context.eventLoop.makePromise()
      promise.futureResult.assumeIsolated().whenComplete { _ in self.answerTaken(context) }
      return context.write(data, promise: promise)
    }
    context.write(data, promise: promise)
  }

  /// Most answers are taken at once, and need no timer.
  package func flush(context: ChannelHandlerContext) {
    context.flush()
    schedule(context)
  }

  package func handlerRemoved(context: ChannelHandlerContext) {
    deadline = nil
    timer?.cancel()
    timer = nil
  }

  private func answerTaken(_ context: ChannelHandlerContext) {
    answersWaiting -= 1
    deadline = answersWaiting > 0 ? context.eventLoop.now + limit : nil
  }

  private func schedule(_ context: ChannelHandlerContext) {
    guard timer == nil, let deadline else { return }
    timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) {
      self.timer = nil
      guard let deadline = self.deadline else { return }
      // Another answer may be on its way by now.
      guard deadline <= context.eventLoop.now else { return self.schedule(context) }
      self.onExpiry()
      Self.reset(context)
    }
  }

  /// Closes without handing over what is left: the system would keep it for minutes.
  private static func reset(_ context: ChannelHandlerContext) {
    if let socket = context.channel as? any SocketOptionProvider {
      socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in }
    }
    context.close(promise: nil)
  }
}
