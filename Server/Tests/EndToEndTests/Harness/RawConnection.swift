import NIOCore
import NIOPosix
import Synchronization

/// A connection for bytes that no HTTP client would send.
struct RawConnection: Sendable {
  /// Connects, sends `text`, and reads until the other side closes or, if given, until `marker` was
  /// received.
  ///
  /// - Returns: The received text.
  static func exchange(
    _ text: String, with server: GatehouseServer, until marker: String? = nil,
    _ whileOpen: () async throws -> Void = {}
  ) async throws -> String {
    try await connect(to: server).executeThenClose { inbound, outbound in
      var received = ""
      do {
        try await outbound.write(ByteBuffer(string: text))
        for try await var piece in inbound {
          received += piece.readString(length: piece.readableBytes) ?? ""
          if let marker, received.contains(marker) { break }
        }
      } catch is IOError {
        // The server closed before it read everything: the connection is reset, which also ends it.
      } catch is ChannelError {
      }
      try await whileOpen()
      return received
    }
  }

  /// Sends `first`, reads until `marker`, sends `second`, and reads until the other side closes.
  ///
  /// - Returns: The text that was received after `marker`.
  static func converse(
    _ first: String, until marker: String, then pause: () async throws -> Void, _ second: String,
    with server: GatehouseServer
  ) async throws -> String {
    try await connect(to: server).executeThenClose { inbound, outbound in
      var received = ""
      try await outbound.write(ByteBuffer(string: first))
      var pieces = inbound.makeAsyncIterator()
      while !received.contains(marker), let piece = try await pieces.next() {
        received += String(buffer: piece)
      }
      try await pause()
      try await outbound.write(ByteBuffer(string: second))
      while let piece = try await pieces.next() { received += String(buffer: piece) }
      return String(received[(received.range(of: marker)?.upperBound ?? received.startIndex)...])
    }
  }

  /// Sends `text` repeatedly, reads nothing, and waits until the other side closes.
  ///
  /// - Returns: Whether it closed.
  static func sendWithoutReading(
    _ text: String, times: Int, to server: GatehouseServer, within seconds: Double
  ) async throws -> Bool {
    let isClosed = Mutex(false)
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelOption(.autoRead, value: false)
      .channelOption(.socketOption(.so_rcvbuf), value: 4096)
      .connect(host: "127.0.0.1", port: port(of: server)).get()
    channel.closeFuture.whenComplete { _ in isClosed.withLock { $0 = true } }
    let bytes = ByteBuffer(string: text)
    for _ in 0..<times { channel.write(bytes, promise: nil) }
    channel.flush()
    defer { channel.close(promise: nil) }
    return try await Deadline.wait(seconds: seconds) { isClosed.withLock(\.self) }
  }

  private static func connect(
    to server: GatehouseServer
  ) async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
    try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connect(host: "127.0.0.1", port: port(of: server)) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
  }

  private static func port(of server: GatehouseServer) throws -> Int {
    try Int(String(server.baseURL.split(separator: ":").last ?? "")).orThrow()
  }
}

extension Optional {
  fileprivate func orThrow() throws -> Wrapped {
    guard let self else { throw MissingTool("The server's URL has no port.") }
    return self
  }
}
