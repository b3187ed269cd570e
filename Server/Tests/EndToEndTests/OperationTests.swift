import Testing

/// The process as an operator's tools see it.
@Suite struct OperationTests {
  private static let requests = 3

  @Test func `it is alive, ready and has metrics`() async throws {
    try await GatehouseServer.with(.init(arguments: ["--metrics-port", "0"])) { server in
      #expect(try await HTTP.get(server.baseURL + "/livez").verdict == "200")
      #expect(try await HTTP.get(server.baseURL + "/readyz").verdict == "200")
      let email = Unique.email("counted")
      _ = try await server.app.signUp(email, "a long password")
      let metrics = try await HTTP.get(try #require(server.metricsURL))
      #expect(metrics.status == 200)
      #expect(metrics.header("content-type")?.hasPrefix("text/plain") == true)
      #expect(metrics.text.contains("# TYPE "))
      let counted = metrics.text.split(separator: "\n").filter {
        $0.contains("signUp") && $0.contains("200") && !$0.hasPrefix("#")
      }
      #expect(!counted.isEmpty)
      #expect(!metrics.text.contains(email))
      // Metrics are only for the operator: the public port has none.
      #expect(try await HTTP.get(server.baseURL + "/metrics").status == 404)
    }
  }

  @Test func `a port in use is reported with the flag to choose another`() async throws {
    try await GatehouseServer.with { server in
      let port = String(try #require(server.baseURL.split(separator: ":").last))
      try await TemporaryFolder.with { folder in
        let refused = try await Command.run(["simulate", "--port", port], in: folder)
        #expect(refused.status == 1)
        #expect(refused.errors.contains("can't listen on 127.0.0.1, port \(port): another "))
        #expect(refused.errors.contains("choose another port with --port"))
      }
    }
  }

  @Test func `SIGHUP ends a server only with --dev, in which the server ends with its terminal`()
    async throws
  {
    try await Production.with { _, server, _ in
      server.process.hangUp()
      let live = try await HTTP.get(server.baseURL + "/livez")
      #expect(live.verdict == "200")
      let status = try await server.stop()
      #expect(status == 0)
    }
    try await TemporaryFolder.with { folder in
      let server = try await GatehouseServer.start(.init(), in: folder)
      defer { server.process.kill() }
      server.process.hangUp()
      #expect(try await server.process.end() == -1)
    }
  }

  @Test func `SIGTERM lets requests under way finish, and ends with status 0`() async throws {
    // One thread and a high cost: the requests have arrived, but wait long for each other.
    let options = GatehouseServer.Options(
      arguments: [
        "--set", "passwords.threads=1", "--set", "passwords.logCost=14", "--set",
        "shutdown.graceSeconds=300",
      ])
    try await TemporaryFolder.with { folder in
      let server = try await GatehouseServer.start(options, in: folder)
      defer { server.process.kill() }
      try await Self.openConnections(to: server, Self.requests)
      try await withThrowingTaskGroup(of: String.self) { group in
        for _ in 0..<Self.requests {
          group.addTask {
            try await server.app.signUp(Unique.email(), "a long password").verdict
          }
        }
        // All were sent together over open connections: the others have arrived before the first
        // response.
        #expect(try await group.next() == "200")
        server.process.terminate()
        for try await verdict in group { #expect(verdict == "200") }
      }
      #expect(try await server.process.end() == 0)
      await #expect(throws: (any Error).self) { try await HTTP.get(server.baseURL + "/livez") }
    }
  }

  private static func openConnections(to server: GatehouseServer, _ count: Int) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<count {
        group.addTask { _ = try await server.app.call("signUp", ["returnSecureToken": true]) }
      }
      try await group.waitForAll()
    }
  }

  @Test func `a restart on the same data keeps keys, accounts and sessions`() async throws {
    try await TemporaryFolder.with { folder in
      let first = try await GatehouseServer.start(.init(), in: folder)
      let session = try await first.app.signUp(Unique.email(), "a long password")
      let keys = try await HTTP.get(first.baseURL + "/.well-known/jwks.json").json
      #expect(try await first.stop() == 0)

      let second = try await GatehouseServer.start(.init(), in: folder)
      defer { second.process.kill() }
      #expect(try await HTTP.get(second.baseURL + "/.well-known/jwks.json").json == keys)
      let idToken = try #require(session.json["idToken"].string)
      #expect(try await second.app.lookup(idToken).verdict == "200")
      let refreshToken = try #require(session.json["refreshToken"].string)
      #expect(try await second.app.refresh(refreshToken).verdict == "200")
      #expect(try await second.stop() == 0)
    }
  }

  @Test func `the demo tells the whole story`() async throws {
    try await GatehouseServer.with { server in
      try await TemporaryFolder.with { folder in
        let demo = try await Command.run(
          ["demo", "--url", server.baseURL, "--simulator", server.simulatorURL], in: folder)
        #expect(demo.status == 0, "\(demo.output)\(demo.errors)")
        let last = try #require(demo.lines.last)
        #expect(last.wholeMatch(of: /All [0-9]+ steps succeeded\./) != nil, "\(last)")
      }
    }
  }
}
