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
      #expect(try await HTTP.get(server.baseURL + "/readyz").status == 200)
      try await cluster.restartPrimary()
      #expect(
        try await Deadline.wait {
          try await server.app.lookup(idToken).verdict == "200"
        })
      #expect(
        try await server.app.signUp(Unique.email(), "a long password").verdict == "200")
    }
  }

  @Test
  func
    `a primary that was frozen and lacks what was committed since is refused until it is confirmed`()
    async throws
  {
    try await TemporaryFolder.with { folder in
      let cluster = try await FailoverCluster.start()
      defer { cluster.end() }
      let options = GatehouseServer.Options(
        arguments: ["--database", cluster.url],
        environment: ["GATEHOUSE_POSTGRES_WAIT_SECONDS": "2"])
      var server = try await GatehouseServer.start(options, in: folder)
      defer { server.process.kill() }
      try await cluster.freeze(.primary)
      try await cluster.promoteStandby()
      let signedUp = try await eventually { [server] in
        try await server.app.signUp(Unique.email(), "a long password")
      }
      let uid = try #require(signedUp.json["localId"].string)

      // Two primaries: the old one comes back, and the one with the account is lost.
      try await cluster.thaw(.primary)
      try await cluster.kill(.standby)
      try await cluster.stopWaitingForStandby()
      let refused = try await server.app.signUp(Unique.email(), "a long password")
      #expect(refused.status == 503, "\(refused.text)")
      #expect(try await HTTP.get(server.baseURL + "/readyz").status == 503)
      let reason = "primary is on timeline 1, but this server has used timeline 2"
      #expect(server.process.errors.contains(reason))

      // Also after a restart.
      try await server.stop()
      let restarted = await #expect(throws: DidNotStart.self) {
        try await GatehouseServer.start(options, in: folder)
      }
      #expect(restarted?.errors.contains(reason) == true)
      let arguments = ["--database", cluster.url, "--data", folder.path + "/data"]
      let doctor = try await Command.run(["doctor", "--dev", "--offline"] + arguments, in: folder)
      #expect(doctor.status == 1)
      #expect(doctor.output.contains("FAIL  timeline: the primary is on timeline 1"))
      let command = try await Command.run(["users", "list"] + arguments, in: folder)
      #expect(command.status == 1)
      #expect(command.errors.contains(reason))

      let wrong = try await Command.run(["confirm-timeline", "2"] + arguments, in: folder)
      #expect(wrong.status == 1)
      #expect(wrong.errors.contains("is on timeline 1, not 2. Nothing was changed"))
      let right = try await Command.run(["confirm-timeline", "1"] + arguments, in: folder)
      #expect(right.status == 0, "\(right.errors)")
      server = try await GatehouseServer.start(options, in: folder)
      #expect(
        try await server.app.signUp(Unique.email(), "a long password").verdict == "200")
      #expect(try await server.administrator.account(uid)["localId"].string == nil)
    }
  }

  /// Repeats a request until it succeeds. Each one waits by itself.
  private func eventually(_ body: () async throws -> Reply) async throws -> Reply {
    var last = try await body()
    let hasSucceeded = try await Deadline.wait {
      if last.status != 200 { last = try await body() }
      return last.status == 200
    }
    try #require(hasSucceeded, "\(last.verdict)")
    return last
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
