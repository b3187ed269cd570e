import GatehouseServer
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@Suite struct RequestDeadlineHandlerTests {
  private static let head = HTTPRequestPart.head(
    HTTPRequest(method: .post, scheme: "http", authority: "example.com", path: "/"))

  /// An open connection with a limit of ten seconds for requests.
  private func connect() throws -> EmbeddedChannel {
    let channel = EmbeddedChannel()
    try channel.pipeline.syncOperations.addHandler(
      RequestDeadlineHandler(limit: .seconds(10)) {})
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    return channel
  }

  private func wait(_ seconds: Int64, _ channel: EmbeddedChannel) {
    channel.embeddedEventLoop.advanceTime(by: .seconds(seconds))
  }

  @Test func `a connection on which no head arrives is closed`() throws {
    let channel = try connect()
    wait(9, channel)
    #expect(channel.isActive)
    wait(1, channel)
    #expect(!channel.isActive)
  }

  @Test func `a body that arrives slowly is closed, however often bytes arrive`() throws {
    let channel = try connect()
    wait(5, channel)
    try channel.writeInbound(Self.head)
    for _ in 0..<9 {
      wait(1, channel)
      try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(string: "x")))
    }
    #expect(channel.isActive)
    wait(1, channel)
    #expect(!channel.isActive)
  }

  @Test func `a whole request, and the time between two, has no deadline`() throws {
    let channel = try connect()
    for _ in 0..<3 {
      try channel.writeInbound(Self.head)
      try channel.writeInbound(HTTPRequestPart.end(nil))
      wait(60, channel)
      #expect(channel.isActive)
    }
    _ = try channel.finish()
  }

  @Test func `each request has its own time`() throws {
    let channel = try connect()
    wait(8, channel)
    try channel.writeInbound(Self.head)
    try channel.writeInbound(HTTPRequestPart.end(nil))
    try channel.writeInbound(Self.head)
    wait(9, channel)
    #expect(channel.isActive)
    wait(1, channel)
    #expect(!channel.isActive)
  }
}
