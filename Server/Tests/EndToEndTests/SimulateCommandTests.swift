import Testing

@Suite struct SimulateCommandTests {
  @Test(
    arguments: [([], true), (["--sheets", "ask"], true), (["--sheets", "auto"], false)]
      as [([String], Bool)])
  func `a browser gets pages, or not`(_ arguments: [String], _ isAsked: Bool) async throws {
    try await TemporaryFolder.with { folder in
      let process = try ChildProcess(
        try Binary.path(), ["simulate", "--port", "0"] + arguments, folder: folder)
      let line = "Simulator listens on "
      let isListening = try await Deadline.wait {
        process.output.contains(line) && process.output.hasSuffix("\n") || !process.isRunning
      }
      try #require(isListening && process.isRunning)
      let url = process.output.split(separator: "\n").first?.dropFirst(line.count) ?? ""
      let reply = try await HTTP.get(
        "\(url)/oidc/authorize?client_id=c&response_type=code&scope=openid"
          + "&redirect_uri=https://app.example.com/cb",
        headers: [("accept", "text/html")])
      #expect(reply.status == (isAsked ? 200 : 302))
      process.terminate()
      #expect(try await process.end() == 0)
    }
  }

  @Test(arguments: ["0.0.0.0", "::", "192.0.2.1", "simulator"])
  func `an address that other machines can reach is refused`(host: String) async throws {
    try await TemporaryFolder.with { folder in
      let refused = try await Command.run(
        ["simulate", "--port", "0", "--host", host], in: folder)
      #expect(refused.status == 64)
      #expect(refused.errors.contains("--host \(host): the simulator listens on loopback only"))
      #expect(refused.errors.contains("add --expose-to-network"))
    }
  }

  @Test(arguments: [
    (["--expose-to-network", "--public-url", "http://simulator:9100"], 200),
    (["--expose-to-network"], 421), (["--host", "127.0.0.1"], 421),
  ])
  func `an exposed simulator accepts the Host of its public URL`(
    _ arguments: [String], _ status: Int
  ) async throws {
    try await TemporaryFolder.with { folder in
      let port = try await FreePort.next()
      let process = try ChildProcess(
        try Binary.path(), ["simulate", "--port", String(port)] + arguments, folder: folder)
      let isListening = try await Deadline.wait {
        process.output.contains("Simulator listens on ") || !process.isRunning
      }
      try #require(isListening && process.isRunning)
      let reply = try await HTTP.get(
        "http://127.0.0.1:\(port)/simulator/persons", headers: [("host", "simulator:9100")])
      #expect(reply.status == status)
      process.terminate()
      #expect(try await process.end() == 0)
    }
  }
}
