import GatehouseServer
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import Testing

/// With real sockets, because `EmbeddedChannel` can't accept connections.
@Suite struct DeferredConnectionTests {
  private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  private var connections: DeferredConnection<HTTP1Channel> {
    DeferredConnection(
      HTTP1Channel { _, writer, _ in
        try await writer.writeResponse(HTTPResponse(status: .noContent))
      })
  }

  /// A listening port that accepts, and the connections of its clients.
  private func bind() async throws -> NIOAsyncChannel<AcceptedConnection, Never> {
    try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .bind(host: "127.0.0.1", port: 0) { [connections, logger] channel in
        connections.setup(channel: channel, logger: logger)
      }
  }

  private func connect(
    to server: NIOAsyncChannel<AcceptedConnection, Never>
  ) async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
    try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelOption(.allowRemoteHalfClosure, value: true)
      .connect(to: try #require(server.channel.localAddress)) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel(wrappingChannelSynchronously: channel)
        }
      }
  }

  @Test func `an accepted connection that is never served is closed, and nothing traps`()
    async throws
  {
    // As a server that shuts down: it has accepted connections, and ends.
    let server = try await bind()
    let client = try await connect(to: server)
    try await server.executeThenClose { inbound in
      var iterator = inbound.makeAsyncIterator()
      _ = try await iterator.next()
    }
    let received = try await client.executeThenClose { inbound, _ in
      try await inbound.reduce(into: 0) { $0 += $1.readableBytes }
    }
    #expect(received == 0)
  }

  @Test func `connections that the server never looked at are closed, too`() async throws {
    let server = try await bind()
    let clients = try await [connect(to: server), connect(to: server), connect(to: server)]
    try await server.executeThenClose { _ in }
    for client in clients { try await client.executeThenClose { _, _ in } }
  }

  @Test func `bytes that arrive before a connection is served are kept`() async throws {
    let server = try await bind()
    let client = try await connect(to: server)
    let answer = try await client.executeThenClose { inbound, outbound in
      try await outbound.write(
        ByteBuffer(string: "GET / HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\n\r\n"))
      // The client closes its sending side: the server is told so at once.
      try await client.channel.close(mode: .output)
      try await server.executeThenClose { accepted in
        var iterator = accepted.makeAsyncIterator()
        let connection = try #require(try await iterator.next())
        await connections.handle(value: connection, logger: logger)
      }
      var text = ""
      for try await piece in inbound { text += String(buffer: piece) }
      return text
    }
    #expect(answer.hasPrefix("HTTP/1.1 204 No Content\r\n"))
  }
}
