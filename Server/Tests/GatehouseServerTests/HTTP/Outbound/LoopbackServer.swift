import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// An HTTP server on a loopback port that behaves badly on request.
struct LoopbackServer {
  let port: Int
  let hits: Hits

  /// The requests, as `<path> <Host header>`.
  final class Hits: Sendable {
    private let seen = Mutex<[String]>([])
    var all: [String] { seen.withLock { $0 } }
    func add(_ hit: String) { seen.withLock { $0.append(hit) } }
  }

  static func with<Result>(
    _ body: (LoopbackServer) async throws -> Result
  ) async throws -> Result {
    let hits = Hits()
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.configureHTTPServerPipeline()
          try channel.pipeline.syncOperations.addHandler(Handler(hits: hits))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    let result: Swift.Result<Result, any Error>
    do {
      result = .success(
        try await body(LoopbackServer(port: channel.localAddress?.port ?? 0, hits: hits)))
    } catch {
      result = .failure(error)
    }
    try await channel.close().get()
    return try result.get()
  }

  private final class Handler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let hits: Hits
    private var path = ""
    private var form = ""
    private var acceptEncoding = ""

    init(hits: Hits) { self.hits = hits }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      switch unwrapInboundIn(data) {
      case .head(let head):
        path = head.uri
        form = ""
        acceptEncoding = head.headers["accept-encoding"].joined(separator: " ")
        hits.add("\(head.uri) \(head.headers.first(name: "host") ?? "")")
      case .body(let buffer):
        form += String(decoding: buffer.readableBytesView, as: UTF8.self)
      case .end: answer(context)
      }
    }

    private func answer(_ context: ChannelHandlerContext) {
      var headers = HTTPHeaders()
      switch path {
      case "/redirect":
        headers.add(name: "location", value: "/ok")
        send(context, .found, headers, "")
      case "/huge": send(context, .ok, headers, String(repeating: "a", count: 300 * 1024))
      case "/slow-head": break
      case "/slow-body":
        headers.add(name: "content-length", value: "10")
        context.write(
          wrapOutboundOut(.head(.init(version: .http1_1, status: .ok, headers: headers))),
          promise: nil)
        context.writeAndFlush(
          wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: "12345")))), promise: nil)
      case "/trickle": trickle(context)
      case "/broken": context.close(promise: nil)
      case "/form": send(context, .ok, headers, form)
      case "/accept-encoding": send(context, .ok, headers, acceptEncoding)
      case "/gzip", "/gzip-400":
        headers.add(name: "content-encoding", value: "gzip")
        send(context, path == "/gzip" ? .ok : .badRequest, headers, "compressed")
      case "/byte-order-mark": send(context, .ok, headers, "\u{FEFF}hello")
      default:
        headers.add(name: "cache-control", value: "public, max-age=600")
        headers.add(name: "age", value: "60")
        send(context, .ok, headers, "hello")
      }
    }

    /// A byte every 50 ms as long as the client reads, so that no single wait is long.
    private func trickle(_ context: ChannelHandlerContext) {
      context.write(
        wrapOutboundOut(
          .head(
            .init(version: .http1_1, status: .ok, headers: ["content-length": "100000"]))),
        promise: nil)
      let (channel, part) = (
        context.channel, HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: "a")))
      )
      let ticks = context.eventLoop.scheduleRepeatedTask(
        initialDelay: .zero, delay: .milliseconds(50)
      ) { _ in channel.writeAndFlush(part, promise: nil) }
      channel.closeFuture.whenComplete { _ in ticks.cancel() }
    }

    private func send(
      _ context: ChannelHandlerContext, _ status: HTTPResponseStatus, _ headers: HTTPHeaders,
      _ body: String
    ) {
      var headers = headers
      headers.add(name: "content-length", value: String(body.utf8.count))
      context.write(
        wrapOutboundOut(.head(.init(version: .http1_1, status: status, headers: headers))),
        promise: nil)
      context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: body)))), promise: nil)
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
  }
}
