import GatehouseServer
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@Suite struct ResponseDeadlineHandlerTests {
  /// The system's side of a connection: the test says when written bytes are taken.
  private final class Client: ChannelOutboundHandler {
    typealias OutboundIn = HTTPResponsePart
    private var untaken: [EventLoopPromise<Void>] = []

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      if let promise { untaken.append(promise) }
    }

    func takeAnswer() { untaken.removeFirst().succeed() }

    deinit { for promise in untaken { promise.fail(ChannelError.ioOnClosedChannel) } }
  }

  /// Counts the connections that were cut off.
  private final class Count {
    var value = 0
  }

  private struct Connection {
    let channel = EmbeddedChannel()
    let client = Client()
    let expiries = Count()

    /// A connection with a limit of ten seconds for answers.
    init() throws {
      try channel.pipeline.syncOperations.addHandlers(
        [
          client,
          ResponseDeadlineHandler(limit: .seconds(10)) { [expiries] in expiries.value += 1 },
        ])
      try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    func write(_ part: HTTPResponsePart) { channel.writeAndFlush(part, promise: nil) }

    func answer() {
      write(.head(HTTPResponse(status: .ok)))
      write(.end(nil))
    }

    func closeInput() {
      channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    }

    func wait(_ seconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .seconds(seconds)) }
  }

  @Test func `an answer that isn't taken closes the connection`() throws {
    let connection = try Connection()
    connection.answer()
    connection.wait(9)
    #expect(connection.channel.isActive)
    connection.wait(1)
    #expect(!connection.channel.isActive)
    #expect(connection.expiries.value == 1)
  }

  @Test func `an answer of which only the head was sent is timed from there`() throws {
    let connection = try Connection()
    connection.write(.head(HTTPResponse(status: .ok)))
    for _ in 0..<9 {
      connection.wait(1)
      connection.write(.body(ByteBuffer(string: "x")))
    }
    #expect(connection.channel.isActive)
    connection.wait(1)
    #expect(!connection.channel.isActive)
  }

  @Test func `an answer that is taken leaves the connection open`() throws {
    let connection = try Connection()
    for _ in 0..<3 {
      connection.answer()
      connection.wait(9)
      connection.client.takeAnswer()
      connection.wait(60)
      #expect(connection.channel.isActive)
    }
    #expect(connection.expiries.value == 0)
  }

  @Test func `each answer has its time from when the one before it was taken`() throws {
    let connection = try Connection()
    connection.answer()
    connection.answer()
    connection.wait(9)
    connection.client.takeAnswer()
    connection.wait(9)
    #expect(connection.channel.isActive)
    connection.wait(1)
    #expect(!connection.channel.isActive)
  }

  @Test func `an interim response isn't the answer`() throws {
    let connection = try Connection()
    connection.write(.head(HTTPResponse(status: .continue)))
    connection.wait(60)
    #expect(connection.channel.isActive)
  }

  private static let stream = HTTPResponse(
    status: .ok, headerFields: [.contentType: "text/event-stream"])

  @Test func `a stream of events may last, if the client takes each piece in time`() throws {
    let connection = try Connection()
    connection.write(.head(Self.stream))
    connection.client.takeAnswer()
    for _ in 0..<9 {
      connection.wait(60)
      connection.write(.body(ByteBuffer(string: "x")))
      connection.wait(9)
      connection.client.takeAnswer()
    }
    connection.wait(60)
    #expect(connection.channel.isActive)
    connection.write(.end(nil))
    connection.wait(9)
    connection.client.takeAnswer()
    connection.wait(60)
    #expect(connection.channel.isActive)
    #expect(connection.expiries.value == 0)
  }

  @Test func `a stream whose client doesn't take a piece is closed`() throws {
    let connection = try Connection()
    connection.write(.head(Self.stream))
    connection.client.takeAnswer()
    connection.write(.body(ByteBuffer(string: "x")))
    for _ in 0..<9 {
      connection.wait(1)
      connection.write(.body(ByteBuffer(string: "x")))
    }
    #expect(connection.channel.isActive)
    connection.wait(1)
    #expect(!connection.channel.isActive)
    #expect(connection.expiries.value == 1)
  }

  @Test(arguments: [true, false])
  func `a stream is closed when its client has closed its side`(_ isBefore: Bool) throws {
    let connection = try Connection()
    if isBefore { connection.closeInput() }
    connection.write(.head(Self.stream))
    if !isBefore {
      #expect(connection.channel.isActive)
      connection.closeInput()
    }
    #expect(!connection.channel.isActive)
  }

  @Test func `another answer is still sent to a client that has closed its side`() throws {
    let connection = try Connection()
    connection.closeInput()
    connection.answer()
    #expect(connection.channel.isActive)
  }
}
