import GatehouseServer
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@Suite struct RequestGateTests {
  /// Parses each `.` as a request. The parsed requests can be read from the channel.
  private final class Parser: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = HTTPRequestPart

    private static let head = HTTPRequest(
      method: .get, scheme: "http", authority: "example.com", path: "/")

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      for byte in unwrapInboundIn(data).readableBytesView where byte == UInt8(ascii: ".") {
        context.fireChannelRead(wrapInboundOut(.head(Self.head)))
        context.fireChannelRead(wrapInboundOut(.end(nil)))
      }
    }
  }

  /// Records the reads that reach the socket, and whether the end of the input was passed on.
  private final class Reads: ChannelOutboundHandler {
    typealias OutboundIn = Any
    var count = 0

    func read(context: ChannelHandlerContext) { count += 1 }
  }

  private final class Ends: ChannelInboundHandler {
    typealias InboundIn = HTTPRequestPart
    var isInputClosed = false

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      if case ChannelEvent.inputClosed = event { isInputClosed = true }
    }
  }

  private struct Connection {
    let channel = EmbeddedChannel()
    let reads = Reads()
    let ends = Ends()

    init(limit: Int) throws {
      try channel.pipeline.syncOperations.addHandlers(
        [reads, RequestGate(limit: limit), Parser(), RequestCountHandler(), ends])
      try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    func send(_ text: String) throws {
      try channel.writeInbound(ByteBuffer(string: text))
    }

    /// The requests that were parsed since the last call.
    func parsed() throws -> Int {
      var count = 0
      while let part: HTTPRequestPart = try channel.readInbound() {
        if case .head = part { count += 1 }
      }
      return count
    }

    func answer(_ status: HTTPResponse.Status = .ok) throws -> HTTPResponse? {
      try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: status)))
      try channel.writeOutbound(HTTPResponsePart.end(nil))
      channel.embeddedEventLoop.run()
      var head: HTTPResponse?
      while let part: HTTPResponsePart = try channel.readOutbound() {
        if case .head(let response) = part { head = response }
      }
      return head
    }
  }

  @Test func `the limit of requests is parsed, and one more for each answer`() throws {
    let connection = try Connection(limit: 4)
    // Each request is sent as a piece of its own, so that the count is exact.
    let request = "." + String(repeating: " ", count: 1023)
    try connection.send(String(repeating: request, count: 10))
    #expect(try connection.parsed() == 4)
    for _ in 0..<6 {
      _ = try connection.answer()
      #expect(try connection.parsed() == 1)
    }
    _ = try connection.answer()
    #expect(try connection.parsed() == 0)
  }

  @Test func `requests that are shorter than a piece are limited by it`() throws {
    let connection = try Connection(limit: 4)
    try connection.send(String(repeating: ".", count: 65_536))
    #expect(try connection.parsed() == 1024)
  }

  @Test func `nothing is read from the client while its bytes wait`() throws {
    let connection = try Connection(limit: 2)
    let before = connection.reads.count
    connection.channel.read()
    #expect(connection.reads.count == before + 1)
    try connection.send(String(repeating: "." + String(repeating: " ", count: 1023), count: 3))
    let held = connection.reads.count
    connection.channel.read()
    #expect(connection.reads.count == held)
    _ = try connection.answer()
    #expect(connection.reads.count == held + 1)
  }

  @Test func `a body of any length goes through`() throws {
    let connection = try Connection(limit: 2)
    try connection.send(".")
    for _ in 0..<100 { try connection.send(String(repeating: " ", count: 65_536)) }
    #expect(connection.channel.isActive)
    #expect(try connection.parsed() == 1)
    let before = connection.reads.count
    connection.channel.read()
    #expect(connection.reads.count == before + 1)
  }

  @Test func `the end of the input follows the bytes before it`() throws {
    let connection = try Connection(limit: 2)
    try connection.send(String(repeating: "." + String(repeating: " ", count: 1023), count: 3))
    connection.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    #expect(!connection.ends.isInputClosed)
    _ = try connection.answer()
    #expect(try connection.parsed() == 3)
    #expect(connection.ends.isInputClosed)
  }

  @Test func `a client that closed its side and sent too much is cut off`() throws {
    let connection = try Connection(limit: 2)
    for _ in 0..<4 { try connection.send(String(repeating: ".", count: 65_536)) }
    #expect(connection.channel.isActive)
    try connection.send(String(repeating: ".", count: 65_536))
    #expect(!connection.channel.isActive)
  }

  @Test func `only the last answer before a shutdown closes the connection`() throws {
    let connection = try Connection(limit: 4)
    try connection.send("...")
    #expect(try connection.answer()?.headerFields[.connection] == nil)
    connection.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    #expect(try connection.answer()?.headerFields[.connection] == nil)
    #expect(try connection.answer()?.headerFields[.connection] == "close")
  }
}
