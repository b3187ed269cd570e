import Foundation
import TestStores
import Testing

/// Servers over a primary with a synchronous standby.
@Suite struct FailoverTests {
  @Test func `a promoted standby has every confirmed account, and the servers go on by themselves`()
    async throws
  {
    try await TemporaryFolder.with { folder in
      let cluster = try await FailoverCluster.start()
      defer { cluster.end() }
      let options = GatehouseServer.Options(
        arguments: ["--database", cluster.url], environment: TestDatabase.patience)
      let first = try await GatehouseServer.start(options, in: folder)
      defer { first.process.kill() }
      let second = try await GatehouseServer.start(options, in: folder)
      defer { second.process.kill() }
      let log = SignUpLog()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for server in [first, second, first, second] {
          group.addTask { try await log.signUp(at: server, untilEnd: 60) }
        }
        group.addTask {
          try await log.hasGrown(by: 20)
          try await cluster.killPrimary()
          try await cluster.promoteStandby()
          // The servers have found the new primary.
          try await log.hasGrown(by: 40)
          await log.stop()
        }
        try await group.waitForAll()
      }
      let uids = await log.uids
      #expect(uids.count >= 60)
      for uid in uids {
        #expect(try await second.administrator.account(uid)["localId"].string == uid)
      }
    }
  }

  @Test func `a primary that was killed comes back, and the servers with it`() async throws {
    try await TemporaryFolder.with { folder in
      let cluster = try await FailoverCluster.start(hasStandby: false)
      defer { cluster.end() }
      let server = try await GatehouseServer.start(
        GatehouseServer.Options(
          arguments: ["--database", cluster.url],
          environment: ["GATEHOUSE_POSTGRES_WAIT_SECONDS": "1"]), in: folder)
      defer { server.process.kill() }
      let before = try await server.app.signUp(Unique.email(), "a long password")
      let idToken = try #require(before.json["idToken"].string)
      try await cluster.killPrimary()
      #expect(try await server.app.signUp(Unique.email(), "a long password").status == 503)
      #expect(try await HTTP.get(server.baseURL + "/readyz").status == 503)
      try await cluster.restartPrimary()
      #expect(
        try await Deadline.wait {
          try await HTTP.get(server.baseURL + "/readyz").status == 200
        })
      #expect(try await server.app.lookup(idToken).verdict == "200")
      #expect(
        try await server.app.signUp(Unique.email(), "a long password").verdict == "200")
    }
  }
}

/// The accounts that servers confirmed.
private actor SignUpLog {
  private(set) var uids: [String] = []
  private var isOver = false

  func stop() { isOver = true }

  private func add(_ uid: String) { uids.append(uid) }

  /// Signs up one user after the other. Ignores errors during an outage.
  nonisolated func signUp(at server: GatehouseServer, untilEnd seconds: Double) async throws {
    let end = ContinuousClock.now + .seconds(seconds * 2)
    while await !isOver, !Task.isCancelled, ContinuousClock.now < end {
      let reply = try? await server.app.signUp(Unique.email(), "a long password")
      if let uid = reply?.json["localId"].string { await add(uid) }
    }
  }

  nonisolated func hasGrown(by count: Int) async throws {
    let before = await uids.count
    let hasGrown = try await Deadline.wait { await self.uids.count >= before + count }
    try #require(hasGrown)
  }
}
