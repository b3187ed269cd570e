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
}
