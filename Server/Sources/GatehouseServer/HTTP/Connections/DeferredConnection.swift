package import HummingbirdCore
package import Logging
package import NIOCore
import Synchronization

/// Sets up a connection when it is served, not when it is accepted.
///
/// A server that shuts down drops the connections that it accepted last. A connection that is
/// already set up then holds an unfinished writer, which traps when it is dropped ("Deinited
/// NIOAsyncWriter without calling finish()"). So a connection has no such writer until it is
/// served.
package struct DeferredConnection<Child: ServerChildChannel>: ServerChildChannel {
  private let child: Child

  package init(_ child: Child) { self.child = child }

  package func setup(
    channel: any Channel, logger: Logger
  ) -> EventLoopFuture<AcceptedConnection> {
    channel.eventLoop.makeCompletedFuture {
      try channel.syncOptions?.setOption(.autoRead, value: false)
      try channel.pipeline.syncOperations.addHandler(AcceptedConnectionHandler())
      return AcceptedConnection(channel: channel)
    }
  }

  package func handle(value: AcceptedConnection, logger: Logger) async {
    let channel = value.channel
    value.isServed.store(true, ordering: .relaxed)
    do {
      let ready = try await channel.eventLoop.flatSubmit {
        child.setup(channel: channel, logger: logger).map { ready in
          // From here on `ready` has to reach its handler, whatever happens to the connection.
          try? channel.pipeline.syncOperations.handler(type: AcceptedConnectionHandler.self)
            .release()
          return ready
        }
      }.get()
      await withTaskExecutorPreference(EventLoopTaskExecutor(channel.eventLoop)) {
        await child.handle(value: ready, logger: logger)
      }
    } catch {
      logger.trace("a connection ended before it was served", metadata: ["error": "\(error)"])
      channel.close(promise: nil)
    }
  }
}

/// A connection that isn't served yet. Closes the connection if it is never served.
package final class AcceptedConnection: ServerChildChannelValue {
  package let channel: any Channel
  fileprivate let isServed = Atomic(false)

  fileprivate init(channel: any Channel) { self.channel = channel }

  deinit {
    if !isServed.load(ordering: .relaxed) { channel.close(promise: nil) }
  }
}

/// Keeps the bytes that arrive on a connection before it is served.
private final class AcceptedConnectionHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  /// The most bytes that are kept. Before the connection is served, bytes are read only from a
  /// client that has closed its sending side.
  private static let maximumBytes = 64 * 1024

  private var context: ChannelHandlerContext?
  private var received = ByteBuffer()
  private var isInputClosed = false

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    received.writeBuffer(&bytes)
    if received.readableBytes > Self.maximumBytes { context.close(promise: nil) }
  }

  func channelReadComplete(context: ChannelHandlerContext) {}

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case ChannelEvent.inputClosed: isInputClosed = true
    // The server is shutting down, and no request is in progress here.
    case is ChannelShouldQuiesceEvent: context.close(promise: nil)
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  /// Passes the bytes on to the handlers behind it.
  func release() {
    guard let context else { return }
    if received.readableBytes > 0 {
      context.fireChannelRead(wrapInboundOut(received))
      context.fireChannelReadComplete()
    }
    if isInputClosed { context.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
    context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    try? context.channel.syncOptions?.setOption(.autoRead, value: true)
  }
}

/// Runs a connection's tasks on the connection's event loop.
///
/// Without it a request changes its thread four times: from the event loop to a thread of Swift's
/// global executor, to the store's writer, back to the global executor, and to the event loop. With
/// it only the two changes around the writer remain, and results that share a commit wake the event
/// loop once.
///
/// What runs here delays the other connections of the loop, as it would delay other tasks of the
/// global executor, which has as many threads. Password hashing has threads of its own.
final class EventLoopTaskExecutor: TaskExecutor {
  private let eventLoop: any EventLoop

  init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // NIO has an executor for actors, but none for tasks: a job that it runs would be enqueued once
    // more at each return from an actor.
    // The closure keeps the executor while the job runs.
    eventLoop.execute { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
