import Foundation
import GatehouseClient
import Testing

/// The transport against a real server, which misbehaves on request.
@Suite struct URLSessionTransportTests {
  private static func request(
    _ path: String, of server: MisbehavingServer, timeout: TimeInterval = 60
  ) throws -> TransportRequest {
    TransportRequest(
      method: .post, url: try url(server.port, path),
      headers: ["Content-Type": "application/json"], body: Data(#"{"a":"é"}"#.utf8),
      timeout: timeout)
  }

  private static func url(_ port: Int, _ path: String) throws -> URL {
    try #require(URL(string: "http://127.0.0.1:\(port)\(path)"))
  }

  private static func kind(
    _ path: String, timeout: TimeInterval = 60
  ) async throws -> NetworkFault.Kind? {
    try await MisbehavingServer.with { server in
      let request = try request(path, of: server, timeout: timeout)
      do throws(TransportFault) {
        _ = try await URLSessionTransport().send(request)
        return nil
      } catch {
        guard case .network(let fault) = error else { return nil }
        return fault.kind
      }
    }
  }

  @Test func `a body is sent and received, without cookies and cache`() async throws {
    try await MisbehavingServer.with { server in
      let transport = URLSessionTransport()
      for _ in 0..<2 {
        let response = try await transport.send(try Self.request("/echo", of: server))
        #expect(response.status == 200)
        #expect(String(decoding: response.body, as: UTF8.self) == #"{"a":"é"}"#)
      }
      #expect(
        server.requests.all
          == Array(repeating: "/echo - application/json", count: 2))
    }
  }

  @Test func `an error status is a response, with headers in lower case`() async throws {
    try await MisbehavingServer.with { server in
      let response = try await URLSessionTransport().send(try Self.request("/refused", of: server))
      #expect(response.status == 400)
      #expect(response.headers["x-why"] == "so")
      #expect(response.body == Data("no".utf8))
    }
  }

  @Test func `an empty response is a response`() async throws {
    try await MisbehavingServer.with { server in
      let response = try await URLSessionTransport().send(try Self.request("/empty", of: server))
      #expect(response.status == 200)
      #expect(response.body.isEmpty)
    }
  }

  @Test func `a redirect isn't followed`() async throws {
    try await MisbehavingServer.with { server in
      let response = try await URLSessionTransport().send(try Self.request("/redirect", of: server))
      #expect(response.status == 302)
      #expect(server.requests.all.count == 1)
    }
  }

  @Test func `a response of one mebibyte is accepted, one byte more isn't`() async throws {
    #expect(try await Self.kind("/endless") == .other)
    try await MisbehavingServer.with { server in
      let response = try await URLSessionTransport().send(try Self.request("/full", of: server))
      #expect(response.body.count == 1 << 20)
    }
  }

  @Test(arguments: ["/broken", "/half"])
  func `an incomplete response is an error`(path: String) async throws {
    #expect(try await Self.kind(path) == .lost)
  }

  @Test func `silence ends with the timeout`() async throws {
    #expect(try await Self.kind("/silent", timeout: 1) == .timedOut)
  }

  @Test func `an unreachable server is an error`() async throws {
    let port = try await FreePort.next()
    let request = TransportRequest(
      method: .get, url: try Self.url(port, "/"), headers: [:], body: nil)
    await #expect {
      try await URLSessionTransport().send(request)
    } throws: { error in
      guard case .network(let fault) = error as? TransportFault else { return false }
      return fault.kind == .cannotConnect
    }
  }

  @Test func `a cancelled call stops waiting at once`() async throws {
    try await MisbehavingServer.with { server in
      let transport = URLSessionTransport()
      let task = Task { try await transport.send(try Self.request("/silent", of: server)) }
      let isAsked = try await Deadline.wait { !server.requests.all.isEmpty }
      #expect(isAsked)
      task.cancel()
      await #expect(throws: TransportFault.cancelled) { try await task.value }
    }
  }

  @Test func `a call that is already cancelled sends nothing`() async throws {
    try await MisbehavingServer.with { server in
      let transport = URLSessionTransport()
      let task = Task {
        while !Task.isCancelled { await Task.yield() }
        return try await transport.send(try Self.request("/echo", of: server))
      }
      task.cancel()
      await #expect(throws: TransportFault.cancelled) { try await task.value }
      #expect(server.requests.all.isEmpty)
    }
  }

  @Test func `concurrent calls each get their own response`() async throws {
    try await MisbehavingServer.with { server in
      let transport = URLSessionTransport()
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<64 {
          group.addTask {
            var request = try Self.request("/echo", of: server)
            request.body = Data("\(number)".utf8)
            return try await transport.send(request).body == request.body
          }
        }
        for try await isOwn in group { #expect(isOwn) }
      }
    }
  }
}
