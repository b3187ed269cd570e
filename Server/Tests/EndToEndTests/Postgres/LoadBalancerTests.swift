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
      let place = try await Place.make(on: cluster.url, in: folder)
      let first = try await place.start(waitSeconds: 60)
      defer { first.process.kill() }
      let second = try await place.start(waitSeconds: 4)
      defer { second.process.kill() }
      let proxy = try await HAProxy.start(before: [first, second], in: folder)
      defer { proxy.process.kill() }
      #expect(try await place.signUp(at: proxy.baseURL).verdict == "200")

      try await cluster.killPrimary()
      async let waiting = place.signUp(at: first.baseURL)
      // This takes longer than HAProxy needs to take a server out.
      #expect(try await place.signUp(at: second.baseURL).status == 503)
      #expect(try await proxy.states() == ["a": "UP", "b": "UP"])
      try await cluster.restartPrimary()
      #expect(try await waiting.verdict == "200")
      #expect(try await place.signUp(at: proxy.baseURL).verdict == "200")
    }
  }

  @Test func `the requests of a server that ends go to the other one`() async throws {
    try await TemporaryFolder.with { folder in
      let place = try await Place.make(on: try TestDatabase.make().url, in: folder)
      let first = try await place.start(waitSeconds: 60)
      defer { first.process.kill() }
      let second = try await place.start(waitSeconds: 60)
      defer { second.process.kill() }
      let proxy = try await HAProxy.start(before: [first, second], in: folder)
      defer { proxy.process.kill() }
      try await first.stop()
      for _ in 0..<6 {
        #expect(try await place.signUp(at: proxy.baseURL).verdict == "200")
      }
      #expect(
        try await Deadline.wait { try await proxy.states() == ["a": "DOWN", "b": "UP"] })
    }
  }
}

/// A production database in PostgreSQL.
private struct Place {
  let folder: TemporaryFolder
  let url: String
  let masterKey: String
  let apiKey: String

  static func make(on url: String, in folder: TemporaryFolder) async throws -> Place {
    let masterKey = try await Command.run(["keys", "new-master"], in: folder)
    let key = try #require(masterKey.lines.first)
    let made = try await Command.run(
      ["projects", "create", "my-app", "--public-url", Production.publicURL, "--database", url],
      environment: TestDatabase.patience.merging(["GATEHOUSE_MASTER_KEY": key]) { $1 }, in: folder)
    let words = made.output.split(whereSeparator: \.isWhitespace).map(String.init)
    return Place(
      folder: folder, url: url, masterKey: key,
      apiKey: try #require(words.first { $0.hasPrefix("gk_") }, "\(made.errors)"))
  }

  func start(waitSeconds: Int) async throws -> GatehouseServer {
    try await GatehouseServer.start(
      GatehouseServer.Options(
        isDevelopment: false,
        arguments: ["--public-url", Production.publicURL, "--database", url],
        environment: [
          "GATEHOUSE_MASTER_KEY": masterKey, "GATEHOUSE_POSTGRES_WAIT_SECONDS": "\(waitSeconds)",
        ]),
      in: folder)
  }

  func signUp(at baseURL: String) async throws -> Reply {
    try await AppClient(baseURL: baseURL, apiKey: apiKey)
      .signUp(Unique.email(), "a long password")
  }
}

/// A running HAProxy.
private struct HAProxy {
  let baseURL: String
  let process: ChildProcess
  private let statistics: String

  struct NotUp: Error {
    let errors: String
  }

  static let isInstalled = FileManager.default.isExecutableFile(atPath: program)
  private static let program = "/usr/sbin/haproxy"

  static func start(before servers: [GatehouseServer], in folder: TemporaryFolder) async throws
    -> HAProxy
  {
    let (port, statisticsPort) = (try await FreePort.next(), try await FreePort.next())
    let page = try String(
      contentsOfFile: Python.repository + "/docs/guides/postgresql.md", encoding: .utf8)
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
    let isUp = try await Deadline.wait(seconds: 60) {
      guard process.isRunning, let states = try? await proxy.states() else { return false }
      return states.values.allSatisfy { $0 == "UP" }
    }
    guard isUp, process.isRunning else {
      process.kill()
      throw NotUp(errors: process.errors)
    }
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
