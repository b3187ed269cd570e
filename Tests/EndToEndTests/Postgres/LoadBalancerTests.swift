import Foundation
import TestStores
import Testing

/// HAProxy in front of two servers, with the configuration of docs/guides/postgresql.md.
@Suite(.enabled(if: HAProxy.isInstalled, "HAProxy isn't installed: apt-get install haproxy"))
struct LoadBalancerTests {
  @Test func `a request waits at a server while PostgreSQL is away, and succeeds when it is back`()
    async throws
  {
    try await TemporaryFolder.with { folder in
      let cluster = try await FailoverCluster.start(hasStandby: false)
      defer { cluster.end() }
      let options = { (seconds: Int) in
        GatehouseServer.Options(
          arguments: ["--database", cluster.url],
          environment: ["GATEHOUSE_POSTGRES_WAIT_SECONDS": "\(seconds)"])
      }
      let first = try await GatehouseServer.start(options(60), in: folder)
      defer { first.process.kill() }
      let second = try await GatehouseServer.start(options(4), in: folder)
      defer { second.process.kill() }
      let proxy = try await HAProxy.start(before: [first, second], in: folder)
      defer { proxy.process.kill() }
      let before = try await AppClient(baseURL: proxy.baseURL).signUp(Unique.email(), "a long password")
      #expect(before.verdict == "200")

      try await cluster.killPrimary()
      async let waiting = first.app.signUp(Unique.email(), "a long password")
      // Longer than HAProxy needs to take a server out.
      let refused = try await second.app.signUp(Unique.email(), "a long password")
      #expect(refused.verdict == "503 The service is currently unavailable.")
      let states = try await proxy.states()
      #expect(states == ["a": "UP", "b": "UP"])
      async let balanced = AppClient(baseURL: proxy.baseURL).signUp(Unique.email(), "a long password")
      try await cluster.restartPrimary()
      #expect(try await waiting.verdict == "200")
      #expect(try await balanced.verdict == "200")
    }
  }

  @Test func `a server that is stopped gets no more requests`() async throws {
    try await TemporaryFolder.with { folder in
      let database = try TestDatabase.make()
      let first = try await GatehouseServer.start(database.options(), in: folder)
      defer { first.process.kill() }
      let second = try await GatehouseServer.start(database.options(), in: folder)
      defer { second.process.kill() }
      let proxy = try await HAProxy.start(before: [first, second], in: folder)
      defer { proxy.process.kill() }
      let app = AppClient(baseURL: proxy.baseURL)
      try await first.stop()
      for _ in 0..<6 {
        #expect(try await app.signUp(Unique.email(), "a long password").verdict == "200")
      }
      #expect(
        try await Deadline.wait { try await proxy.states() == ["a": "DOWN", "b": "UP"] })
    }
  }
}

/// A running HAProxy.
private struct HAProxy {
  let baseURL: String
  let process: ChildProcess
  private let statistics: String

  static let isInstalled = FileManager.default.isExecutableFile(atPath: program)
  private static let program = "/usr/sbin/haproxy"

  static func start(before servers: [GatehouseServer], in folder: TemporaryFolder) async throws
    -> HAProxy
  {
    let (port, statisticsPort) = (try await FreePort.next(), try await FreePort.next())
    let page = try String(
      contentsOfFile: Python.packageRoot + "/docs/guides/postgresql.md", encoding: .utf8)
    let block = try #require(page.firstMatch(of: /```\n(backend gatehouse\n[^`]*)```/)).output.1
    let settings = block.split(separator: "\n").filter { !$0.hasPrefix("  server ") }
    let lines = zip(["a", "b", "c"], servers).map { name, server in
      "  server \(name) \(server.baseURL.replacing("http://", with: "")) check inter 1s fall 2 rise 1"
    }
    let file = try folder.write(
      "haproxy.cfg",
      """
      defaults
        mode http
        timeout connect 5s
        timeout client 120s
      frontend clients
        bind 127.0.0.1:\(port)
        default_backend gatehouse
      frontend statistics
        bind 127.0.0.1:\(statisticsPort)
        timeout client 5s
        stats enable
        stats uri /
      \((settings + lines.map { $0[...] }).joined(separator: "\n"))

      """)
    let process = try ChildProcess(program, ["-db", "-f", file], folder: folder)
    let proxy = HAProxy(
      baseURL: "http://127.0.0.1:\(port)", process: process,
      statistics: "http://127.0.0.1:\(statisticsPort)/;csv")
    let isUp = try await Deadline.wait {
      guard process.isRunning else { return true }
      return try await (try? proxy.states())?.values.allSatisfy { $0 == "UP" } ?? false
    }
    try #require(isUp && process.isRunning, "\(process.errors)")
    return proxy
  }

  /// `UP` or `DOWN`, by the server's name in the configuration.
  func states() async throws -> [String: String] {
    let rows = try await HTTP.get(statistics).text.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    let names = rows[0]
    let (server, status) = (names.firstIndex(of: "svname"), names.firstIndex(of: "status"))
    let (nameColumn, statusColumn) = (try #require(server), try #require(status))
    let servers = rows.dropFirst().filter {
      $0[0] == "gatehouse" && !["FRONTEND", "BACKEND"].contains($0[nameColumn])
    }
    return Dictionary(
      uniqueKeysWithValues: servers.map { row in
        (String(row[nameColumn]), row[statusColumn].hasPrefix("UP") ? "UP" : "DOWN")
      })
  }
}
