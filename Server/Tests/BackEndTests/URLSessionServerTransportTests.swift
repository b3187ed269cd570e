import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Synchronization
import Testing

@testable import GatehouseVerifier

/// The real transport against a server with many kinds of behaviour.
@Suite struct URLSessionServerTransportTests {
  /// The requested paths.
  private final class Visits: Sendable {
    private let list = Mutex<[String]>([])
    func add(_ path: String) { list.withLock { $0.append(path) } }
    var paths: [String] { list.withLock { $0 } }
  }

  private struct Server {
    let url: String
    let visits: Visits

    func request(
      _ path: String, body: String? = nil, maximumBytes: Int = 64 * 1024,
      timeout: TimeInterval = 60
    ) throws -> ServerRequest {
      ServerRequest(
        url: try #require(URL(string: url + path)), body: body.map { Data($0.utf8) },
        headers: ["x-goog-api-key": "gk_1"], maximumBytes: maximumBytes, timeout: timeout)
    }
  }

  private func withServer(_ body: @escaping @Sendable (Server) async throws -> Void) async throws {
    let visits = Visits()
    let (gate, opener) = AsyncStream.makeStream(of: Void.self)
    let router = Router()
    router.get("good") { request, _ in
      visits.add("good")
      return Response(
        status: .ok, headers: [.cacheControl: "max-age=600", .age: "7"],
        body: .init(byteBuffer: ByteBuffer(string: "{}")))
    }
    router.get("missing") { _, _ in Response(status: .notFound) }
    router.get("redirect") { _, _ in
      visits.add("redirect")
      return Response(status: .found, headers: [.location: "/good"])
    }
    router.post("echo") { request, _ in
      let key = HTTPField.Name("x-goog-api-key").flatMap { request.headers[$0] } ?? ""
      let text = try await request.body.collect(upTo: 1024)
      return "\(key) \(request.headers[.contentType] ?? "") \(String(buffer: text))"
    }
    router.get("bytes/:count") { _, context in
      let count = context.parameters.get("count", as: Int.self) ?? 0
      return Response(
        status: .ok, body: .init(byteBuffer: ByteBuffer(repeating: 0x20, count: count)))
    }
    router.get("endless") { _, _ in
      Response(
        status: .ok,
        body: .init { writer in
          // Ends with the connection.
          while true { try await writer.write(ByteBuffer(repeating: 0x20, count: 16 * 1024)) }
        })
    }
    router.get("silent") { _, _ in
      for await _ in gate {}
      return Response(status: .ok)
    }
    router.get("drip") { _, _ in
      Response(
        status: .ok,
        body: .init { writer in
          while true {
            try await writer.write(ByteBuffer(string: " "))
            try await Task.sleep(for: .milliseconds(20))
          }
        })
    }
    let application = Application(
      router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)))
    try await application.test(.live) { client in
      defer { opener.finish() }
      let port = try #require(client.port)
      try await body(Server(url: "http://127.0.0.1:\(port)/", visits: visits))
    }
  }

  @Test func `the response has its body and the headers for caches`() async throws {
    try await withServer { server in
      let response = try await URLSessionServerTransport().send(try server.request("good"))
      #expect(
        response
          == ServerResponse(
            status: 200, cacheControl: "max-age=600", age: 7, body: Data("{}".utf8)))
    }
  }

  @Test func `any status is a response`() async throws {
    try await withServer { server in
      let response = try await URLSessionServerTransport().send(try server.request("missing"))
      #expect(response.status == 404)
    }
  }

  @Test func `posts a body and headers`() async throws {
    try await withServer { server in
      let response = try await URLSessionServerTransport().send(
        try server.request("echo", body: "{}"))
      #expect(String(decoding: response.body, as: UTF8.self) == "gk_1 application/json {}")
    }
  }

  @Test func `follows no redirect`() async throws {
    try await withServer { server in
      let request = try server.request("redirect")
      await #expect(throws: ServerFault.status(302)) {
        try await URLSessionServerTransport().send(request)
      }
      #expect(server.visits.paths == ["redirect"])
    }
  }

  @Test(arguments: [(65_536, true), (65_537, false)])
  func `a response may be as long as the limit`(_ bytes: Int, _ fits: Bool) async throws {
    try await withServer { server in
      let request = try server.request("bytes/\(bytes)")
      let length = try? await URLSessionServerTransport().send(request).body.count
      #expect(length == (fits ? bytes : nil))
    }
  }

  @Test func `an endless response is cut off`() async throws {
    try await withServer { server in
      let request = try server.request("endless")
      await #expect(throws: ServerFault.tooLarge) {
        try await URLSessionServerTransport().send(request)
      }
    }
  }

  @Test(arguments: ["silent", "drip"])
  func `a slow server times out, even if it sends a byte now and then`(
    _ path: String
  ) async throws {
    try await withServer { server in
      let request = try server.request(path, timeout: 0.3)
      await #expect(throws: ServerFault.timedOut) {
        try await URLSessionServerTransport().send(request)
      }
    }
  }

  @Test func `an unreachable server is a connection error`() async throws {
    let request = ServerRequest(
      url: try #require(URL(string: "http://127.0.0.1:1/")), maximumBytes: 1, timeout: 60)
    do {
      _ = try await URLSessionServerTransport().send(request)
      Issue.record("nothing listens there")
    } catch {
      guard case .connection = error else { throw error }
    }
  }

  @Test func `one transport handles many requests at once`() async throws {
    try await withServer { server in
      let transport = URLSessionServerTransport()
      let lengths = try await withThrowingTaskGroup(of: Bool.self) { group in
        for count in 0..<50 {
          let request = try server.request("bytes/\(count)")
          group.addTask { try await transport.send(request).body.count == count }
        }
        return try await group.reduce(into: [Bool]()) { $0.append($1) }
      }
      #expect(lengths == Array(repeating: true, count: 50))
    }
  }
}
