import NIOCore
import NIOPosix

/// A connection that sends what no HTTP client would.
struct RawConnection: Sendable {
  /// Connects, sends `text`, and reads until the other side closes or, if it is given, `marker`
  /// was received.
  ///
  /// - Returns: What came.
  static func exchange(
    _ text: String, with server: GatehouseServer, until marker: String? = nil,
    _ whileOpen: () async throws -> Void = {}
  ) async throws -> String {
    let port = try Int(String(server.baseURL.split(separator: ":").last ?? "")).orThrow()
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connect(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
    return try await channel.executeThenClose { inbound, outbound in
      var received = ""
      do {
        try await outbound.write(ByteBuffer(string: text))
        for try await var piece in inbound {
          received += piece.readString(length: piece.readableBytes) ?? ""
          if let marker, received.contains(marker) { break }
        }
      } catch is IOError {
        // Closed with what was sent still unread: a reset, which is an end too.
      } catch is ChannelError {
      }
      try await whileOpen()
      return received
    }
  }
}

extension Optional {
  fileprivate func orThrow() throws -> Wrapped {
    guard let self else { throw MissingTool("The server's URL has no port.") }
    return self
  }
}
