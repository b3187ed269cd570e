import Foundation
import Testing

/// `accounts:watch` of the real command.
@Suite struct WatchTests {
  private static let password = "a long password"

  /// An account that is signed in on two devices.
  private func devices(_ app: AppClient) async throws -> (
    email: String, first: String, second: String
  ) {
    let email = Unique.email()
    let first = try await app.signUp(email, Self.password)
    let second = try await app.signIn(email, Self.password)
    return (
      email, try #require(first.json["idToken"].string), try #require(second.json["idToken"].string)
    )
  }

  private func app(_ production: Production, _ server: GatehouseServer) async throws -> AppClient {
    _ = try await production.command("projects", "set", production.project, "allowsPasswords=true")
    return AppClient(baseURL: server.baseURL, apiKey: production.apiKey)
  }

  @Test func `a command's change reaches an app and a web page, and the session's end ends both`()
    async throws
  {
    try await Production.with { production, server, _ in
      let app = try await app(production, server)
      let (email, first, second) = try await devices(app)
      let phone = try EventStream(app, first, in: production.folder)
      let page = try EventStream(
        app, second, origin: "https://app.example.com", in: production.folder)
      defer { [phone, page].forEach { $0.close() } }
      #expect(try await phone.has("ready"))
      #expect(try await page.has("ready"))
      #expect(page.lines.first?["allowed"] == "https://app.example.com")
      _ = try await app.call("update", ["idToken": .string(first), "displayName": "Ann"])
      #expect(try await page.has("account.profile_changed"))
      #expect(try await phone.has("account.profile_changed"))
      let disabled = try await production.command("users", "disable", email)
      #expect(disabled.status == 0, "\(disabled.errors)")
      for stream in [phone, page] {
        #expect(try await stream.has("signed_out"))
        #expect(try await stream.hasEnded())
        #expect(stream.end == "complete")
        #expect(stream.lines.dropLast().last?["data"] == #"{"reason":"disabled"}"#)
      }
    }
  }

  @Test func `after a sudden end the stream is resumed, and nothing is missing`() async throws {
    try await TemporaryFolder.with { folder in
      let production = try await Production.make(in: folder)
      let server = try await production.start()
      let app = try await app(production, server)
      let (_, idToken, _) = try await devices(app)
      let before = try EventStream(app, idToken, in: folder)
      #expect(try await before.has("ready"))
      try await server.killHard()
      #expect(try await before.hasEnded())
      let again = try await production.start()
      defer { again.process.kill() }
      let later = try await self.app(production, again)
      for name in ["Ann", "Bea"] {
        let changed = try await later.call(
          "update", ["idToken": .string(idToken), "displayName": .string(name)])
        #expect(changed.verdict == "200")
      }
      // Waits until the events have their places in the log.
      let all = try await Deadline.wait {
        let log = try await production.command("audit", "list")
        return log.output.components(separatedBy: "account.profile_changed").count == 3
      }
      #expect(all)
      let resumed = try EventStream(later, idToken, after: before.lastID, in: folder)
      defer { resumed.close() }
      #expect(try await resumed.has("ready"))
      #expect(
        resumed.types.suffix(3) == ["account.profile_changed", "account.profile_changed", "ready"])
      #expect(!resumed.types.contains("reload"))
    }
  }

  @Test func `a server that is stopped ends its streams, and exits although clients stay`()
    async throws
  {
    try await TemporaryFolder.with { folder in
      // The grace period is longer than the test waits, so the server must not wait for open
      // streams.
      let server = try await GatehouseServer.start(
        GatehouseServer.Options(arguments: ["--set", "shutdown.graceSeconds=300"]), in: folder)
      defer { server.process.kill() }
      let (_, first, second) = try await devices(server.app)
      let streams = try [first, second, first].map { try EventStream(server.app, $0, in: folder) }
      for stream in streams { #expect(try await stream.has("ready")) }
      #expect(try await server.stop() == 0)
      for stream in streams {
        #expect(try await stream.hasEnded())
        #expect(stream.end == "complete")
      }
    }
  }

  @Test func `a client that leaves frees its place, and each stream is one line of the log`()
    async throws
  {
    try await TemporaryFolder.with { folder in
      let server = try await GatehouseServer.start(
        GatehouseServer.Options(
          arguments: ["--set", "watch.connectionsPerAddress=1", "--metrics-port", "0"],
          environment: ["GATEHOUSE_LOG_FORMAT": "json", "GATEHOUSE_LOG_REQUESTS": "true"]),
        in: folder)
      defer { server.process.kill() }
      let (_, idToken, _) = try await devices(server.app)
      let first = try EventStream(server.app, idToken, in: folder)
      #expect(try await first.has("ready"))
      let refused = try EventStream(server.app, idToken, in: folder)
      #expect(try await refused.hasEnded())
      #expect(refused.lines.first?["status"] == 429)
      first.close()
      // The server notices the closed connection without sending an event or a heartbeat.
      let isFree = try await Deadline.wait {
        let second = try EventStream(server.app, idToken, in: folder)
        defer { second.close() }
        return try await second.has("ready")
      }
      #expect(isFree)
      let metrics = try await HTTP.get(try #require(server.metricsURL)).text
      #expect(metrics.contains("gatehouse_watchers_refused_total{reason=\"address\"}"))
      let isLogged = try await Deadline.wait {
        let lines: [Substring] = server.process.errors.split(separator: "\n")
        let streams = lines.map { JSON(reading: Data($0.utf8)) }.filter { $0["route"] == "watch" }
        return streams.contains { $0["status"].number == 200 && $0["uid"].string != nil }
      }
      #expect(isLogged)
      #expect(!server.process.errors.contains(idToken))
    }
  }
}
