import Foundation
import GatehouseClient
import GatehouseProtocol
import Testing

@Suite struct TokenRefreshTests {
  @Test func `an unexpired token is returned without a request`() async throws {
    let bench = try Bench()
    let user = try await bench.signedIn()
    _ = try await user.idToken()
    #expect(bench.server.requests("v1/token").isEmpty)
  }

  @Test func `a token with five minutes left is refreshed`() async throws {
    let bench = try Bench()
    let user = try await bench.signedIn()
    let first = try await user.idToken()
    bench.clock.advance(seconds: 3600 - 301)
    #expect(try await user.idToken() == first)
    bench.clock.advance(seconds: 1)
    #expect(try await user.idToken() != first)
    #expect(bench.server.requests("v1/token").count == 1)
  }

  @Test(arguments: [false, true])
  func `a thousand callers make one request`(forcing: Bool) async throws {
    let bench = try Bench()
    let user = try await bench.signedIn()
    bench.clock.advance(seconds: 4000)
    let gate = TestGate()
    bench.server.on("v1/token") { (_) throws(TransportFault) in
      await gate.wait()
      return ScriptedTransport.ok(Answers.refreshed(now: bench.clock.now))
    }
    let tokens = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<1000 {
        group.addTask { try await user.idToken(forcingRefresh: forcing).token }
      }
      // A caller that comes after the answer sends another request only if it forces a refresh.
      #expect(try await eventually { user.callersWaitingForToken == 1000 })
      gate.open()
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(tokens.count == 1)
    #expect(bench.server.requests("v1/token").count == 1)
  }

  @Test func `a caller who stops waiting doesn't end the refresh for the others`() async throws {
    let bench = try Bench()
    let user = try await bench.signedIn()
    bench.clock.advance(seconds: 4000)
    let gate = TestGate()
    bench.server.on("v1/token") { (_) throws(TransportFault) in
      await gate.wait()
      return ScriptedTransport.ok(Answers.refreshed(now: bench.clock.now))
    }
    let first = Task { try await user.idToken() }
    #expect(try await eventually { bench.server.requests("v1/token").count == 1 })
    let second = Task { try await user.idToken() }
    first.cancel()
    await #expect(throws: ClientError.cancelled) { try await first.value }
    gate.open()
    _ = try await second.value
    #expect(bench.server.requests("v1/token").count == 1)
  }

  @Test func `a refresh whose answer comes after signing out signs no user in`() async throws {
    let bench = try Bench()
    let user = try await bench.signedIn()
    bench.clock.advance(seconds: 4000)
    let gate = TestGate()
    bench.server.on("v1/token") { (_) throws(TransportFault) in
      await gate.wait()
      return ScriptedTransport.ok(Answers.refreshed(now: bench.clock.now))
    }
    let token = Task { try await user.idToken() }
    #expect(try await eventually { bench.server.requests("v1/token").count == 1 })
    try bench.client.signOut()
    gate.open()
    _ = try await token.value
    #expect(bench.client.state == .signedOut)
    #expect(try bench.otherProcess().load() == .signedOut)
  }

  @Test func `a refresh that ends after a re-authentication leaves the new session's tokens`()
    async throws
  {
    let bench = try Bench()
    let user = try await bench.signedIn()
    let gate = TestGate()
    bench.server.on("v1/token") { (_) throws(TransportFault) in
      await gate.wait()
      return ScriptedTransport.ok(Answers.refreshed(now: bench.clock.now))
    }
    let refreshed = Task { try await user.idToken(forcingRefresh: true) }
    #expect(try await eventually { bench.server.requests("v1/token").count == 1 })
    try await user.reauthenticate(with: .apple(idToken: "apple-token-2", nonce: Nonce()))
    let (idToken, refreshToken) = (user.heldIDToken, user.refreshToken)
    gate.open()
    #expect(try await refreshed.value == idToken)
    #expect(user.heldIDToken == idToken)
    #expect(user.refreshToken == refreshToken)
    #expect(try bench.otherProcess().currentUser?.refreshToken == refreshToken)
  }

  @Test func `a lost answer is asked for again`() async throws {
    let bench = try Bench()
    let user = try await bench.signedIn()
    bench.server.on(
      "v1/token",
      inTurn: [
        ScriptedTransport.lost,
        ScriptedTransport.answering { Answers.refreshed(now: bench.clock.now) },
      ])
    _ = try await user.idToken(forcingRefresh: true)
    #expect(bench.server.requests("v1/token").count == 2)
  }

  @Test func `without a network no user is signed out`() async throws {
    let bench = try Bench()
    let user = try await bench.signedIn()
    bench.server.on("v1/token", failing: .offline)
    await #expect(throws: ClientError.network(NetworkFault(.offline, detail: "scripted"))) {
      try await user.idToken(forcingRefresh: true)
    }
    #expect(bench.client.currentUser == user)
  }

  @Test func `another process's newer tokens are used instead of a request`() async throws {
    let bench = try Bench()
    let user = try await bench.signedIn()
    let other = try bench.otherProcess()
    bench.clock.advance(seconds: 4000)
    let theirs = try await #require(other.currentUser).idToken()
    #expect(try await user.idToken() == theirs)
    #expect(bench.server.requests("v1/token").count == 1)
  }

  @Test func `a profile that is read here leaves another process's newer tokens in the store`()
    async throws
  {
    let bench = try Bench()
    let user = try await bench.signedIn()
    let other = try #require(try bench.otherProcess().currentUser)
    let theirs = try await other.idToken(forcingRefresh: true)
    try await user.reload()
    let stored = try #require(try bench.otherProcess().currentUser)
    #expect(stored.heldIDToken == theirs)
    #expect(stored.refreshToken == other.refreshToken)
  }

  @Test func `a sign-out in another process takes effect here at the next refresh`() async throws {
    let bench = try Bench()
    let user = try await bench.signedIn()
    try bench.otherProcess().signOut()
    bench.clock.advance(seconds: 4000)
    await #expect(throws: ClientError.notSignedIn) { try await user.idToken() }
    #expect(bench.client.state == .signedOut)
    #expect(bench.server.requests("v1/token").isEmpty)
  }

  @Test(arguments: [
    ("TOKEN_EXPIRED", SessionEnd.revoked), ("USER_DISABLED", .disabled),
    ("USER_NOT_FOUND", .deleted), ("INVALID_REFRESH_TOKEN", .invalid),
  ])
  func `a refused refresh token signs out`(code: String, end: SessionEnd) async throws {
    let bench = try Bench()
    let user = try await bench.signedIn()
    bench.server.on("v1/token", refusing: code)
    await #expect(throws: ClientError.sessionEnded(end)) {
      try await user.idToken(forcingRefresh: true)
    }
    #expect(bench.client.state == .signedOut)
    #expect(try bench.otherProcess().load() == .signedOut)
  }

  @Test(arguments: ["TOO_MANY_ATTEMPTS_TRY_LATER", "INVALID_GRANT_TYPE"])
  func `another refusal signs no user out`(code: String) async throws {
    let bench = try Bench()
    let user = try await bench.signedIn()
    bench.server.on("v1/token", refusing: code)
    await #expect(throws: ClientError.server(ServerRefusal(status: 400, code: code))) {
      try await user.idToken(forcingRefresh: true)
    }
    #expect(bench.client.currentUser == user)
  }
}
