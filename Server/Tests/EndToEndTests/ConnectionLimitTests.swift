import Testing

/// The limits of one client's connections.
@Suite struct ConnectionLimitTests {
  private static let request = "GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"

  /// RFC 9112 §3.2: a proxy and this server might follow different ones.
  @Test func `a request with two hosts is refused`() async throws {
    try await GatehouseServer.with { server in
      let twice = Self.request.replacing("Host:", with: "Host: other.example.com\r\nHost:")
      let answer = try await RawConnection.exchange(
        twice, with: server, until: "more than one Host")
      #expect(answer.hasPrefix("HTTP/1.1 400 "))
    }
  }

  @Test func `an address has a maximum of connections, and the next is closed`() async throws {
    let options = GatehouseServer.Options(
      arguments: ["--metrics-port", "0", "--set", "server.connectionsPerAddress=3"])
    try await GatehouseServer.with(options) { server in
      // The harness keeps some of its own connections open.
      let answers = try await hold(5, server)
      let served = answers.filter { $0.contains("200 OK") }
      #expect((1...3).contains(served.count))
      #expect(answers.filter { $0.isEmpty }.count == answers.count - served.count)
      let metrics = try await HTTP.get(try #require(server.metricsURL)).text
      #expect(metrics.contains(#"gatehouse_http_connections_refused_total{reason="address"}"#))
      #expect(metrics.contains("gatehouse_http_connections "))
      // Closed connections don't count any more.
      let isServedAgain = try await Deadline.wait {
        try await RawConnection.exchange(Self.request, with: server, until: "200 OK")
          .contains("200 OK")
      }
      #expect(isServedAgain)
    }
  }

  /// Opens connections one inside the other, so that all are open at the same time.
  private func hold(_ count: Int, _ server: GatehouseServer) async throws -> [String] {
    var others: [String] = []
    let answer = try await RawConnection.exchange(Self.request, with: server, until: "200 OK") {
      if count > 1 { others = try await hold(count - 1, server) }
    }
    return others + [answer]
  }

  @Test func `a request that doesn't arrive in time is closed`() async throws {
    let options = GatehouseServer.Options(arguments: ["--set", "server.requestSeconds=1"])
    try await GatehouseServer.with(options) { server in
      let head = try await RawConnection.exchange("POST /v1/accounts:signUp HTT", with: server)
      #expect(head == "")
      let body = try await RawConnection.exchange(
        "POST /v1/accounts:signUp?key=k HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n\r\n{",
        with: server)
      #expect(!body.contains("200 OK"))
      #expect(try await HTTP.get(server.baseURL + "/livez").status == 200)
    }
  }

  @Test func `a client that reads no responses is disconnected`() async throws {
    let options = GatehouseServer.Options(
      arguments: ["--metrics-port", "0", "--set", "server.responseSeconds=1"])
    try await GatehouseServer.with(options) { server in
      // The page is large: its responses fill the system's buffers for a client that doesn't read.
      let isCutOff = try await RawConnection.sendWithoutReading(
        "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/html\r\n\r\n", times: 4000, to: server,
        within: 300)
      #expect(isCutOff)
      let metrics = try await HTTP.get(try #require(server.metricsURL)).text
      #expect(metrics.contains(#"gatehouse_http_connections_refused_total{reason="unread"} 1"#))
      #expect(try await HTTP.get(server.baseURL + "/livez").status == 200)
    }
  }

  @Test func `any number of pipelined requests is answered in order`() async throws {
    try await GatehouseServer.with { server in
      let requests = (0..<300).map { "GET /none/\($0) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" }
      let last = "GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
      let answers = try await RawConnection.exchange(requests.joined() + last, with: server)
      #expect(answers.components(separatedBy: "HTTP/1.1 404 Not Found").count == 301)
      #expect(answers.components(separatedBy: "HTTP/1.1 200 OK").count == 2)
    }
  }

  @Test func `a response during shutdown says that the connection closes`() async throws {
    try await TemporaryFolder.with { folder in
      let server = try await GatehouseServer.start(.init(), in: folder)
      defer { server.process.kill() }
      // The second request has begun before the first response: both arrive in one piece.
      let answer = try await RawConnection.converse(
        Self.request
          + "POST /v1/accounts:signUp?key=k HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\n\r\n",
        until: #"{"status":"ok"}"#,
        then: {
          server.process.terminate()
          let isShuttingDown = try await Deadline.wait {
            do {
              _ = try await RawConnection.exchange("", with: server, until: "")
              return false
            } catch {
              return true
            }
          }
          #expect(isShuttingDown)
        }, "{}", with: server)
      #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(answer.lowercased().contains("\r\nconnection: close\r\n"))
      #expect(try await server.process.end() == 0)
    }
  }

  @Test func `a server that is stopped while clients connect ends normally`() async throws {
    try await TemporaryFolder.with { folder in
      let server = try await GatehouseServer.start(.init(), in: folder)
      defer { server.process.kill() }
      try await withThrowingTaskGroup { group in
        for _ in 0..<16 {
          group.addTask {
            while server.process.isRunning {
              _ = try? await RawConnection.exchange(Self.request, with: server, until: "200 OK")
            }
          }
        }
        _ = try await RawConnection.exchange(Self.request, with: server, until: "200 OK")
        server.process.terminate()
        #expect(try await server.process.end() == 0)
        #expect(!server.process.errors.contains("Fatal error"))
        try await group.waitForAll()
      }
    }
  }

  @Test func `a request head over the limit is refused`() async throws {
    try await GatehouseServer.with { server in
      let long = String(repeating: "a", count: 40_000)
      let answer = try await RawConnection.exchange(
        "GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: \(long)\r\n\r\n", with: server)
      #expect(!answer.contains("200 OK"))
    }
  }
}
