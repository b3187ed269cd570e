import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// An HTTP server on a loopback port that behaves as the request's path says.
struct MisbehavingServer {
  let port: Int
  /// The received requests: path, and the headers `cookie` and `content-type`.
  let requests: Requests

  final class Requests: Sendable {
    private let seen = Mutex<[String]>([])
    var all: [String] { seen.withLock { $0 } }
    func add(_ request: String) { seen.withLock { $0.append(request) } }
  }

  static func with<Result>(
    _ body: (MisbehavingServer) async throws -> Result
  ) async throws -> Result {
    let requests = Requests()
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.configureHTTPServerPipeline()
          try channel.pipeline.syncOperations.addHandler(Handler(requests: requests))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    let result: Swift.Result<Result, any Error>
    do {
      result = .success(
        try await body(
          MisbehavingServer(port: channel.localAddress?.port ?? 0, requests: requests)))
    } catch {
      result = .failure(error)
    }
    try await channel.close().get()
    return try result.get()
  }

  private final class Handler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let requests: Requests
    private var path = ""
    private var body = ""

    init(requests: Requests) { self.requests = requests }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      switch unwrapInboundIn(data) {
      case .head(let head):
        path = head.uri
        body = ""
        let cookie = head.headers.first(name: "cookie") ?? "-"
        let type = head.headers.first(name: "content-type") ?? "-"
        requests.add("\(head.uri) \(cookie) \(type)")
      case .body(let buffer): body += String(decoding: buffer.readableBytesView, as: UTF8.self)
      case .end: answer(context)
      }
    }

    private func answer(_ context: ChannelHandlerContext) {
      switch path {
      case "/redirect": send(context, .found, [("location", "/echo")], "moved")
      case "/endless": send(context, .ok, [], String(repeating: "a", count: (1 << 20) + 1))
      case "/full": send(context, .ok, [], String(repeating: "a", count: 1 << 20))
      case "/empty": send(context, .ok, [], "")
      case "/refused": send(context, .badRequest, [("x-why", "so")], "no")
      case "/silent": break
      case "/half":
        write(context, .ok, [("content-length", "10")], "12345")
        context.flush()
        context.close(promise: nil)
      case "/broken": context.close(promise: nil)
      default:
        let headers = [("set-cookie", "a=b; Path=/"), ("cache-control", "public, max-age=600")]
        send(context, .ok, headers, body)
      }
    }

    private func send(
      _ context: ChannelHandlerContext, _ status: HTTPResponseStatus,
      _ headers: [(String, String)], _ body: String
    ) {
      write(context, status, headers + [("content-length", String(body.utf8.count))], body)
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    private func write(
      _ context: ChannelHandlerContext, _ status: HTTPResponseStatus,
      _ headers: [(String, String)], _ body: String
    ) {
      context.write(
        wrapOutboundOut(
          .head(.init(version: .http1_1, status: status, headers: HTTPHeaders(headers)))),
        promise: nil)
      context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: body)))), promise: nil)
    }
  }
}
