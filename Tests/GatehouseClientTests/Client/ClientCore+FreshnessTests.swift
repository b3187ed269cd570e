import Foundation
import GatehouseClient
import Testing

/// Tokens are refreshed before a caller has to wait for one.
@Suite struct ClientCoreFreshnessTests {
  @Test func `a token is refreshed six minutes before it expires`() async throws {
    let clock = ManualClock()
    let bench = try Bench(clock: clock, refreshesProactively: true)
    let user = try await bench.signedIn()
    let token = user.heldIDToken
    #expect(try await eventually { clock.sleeperCount == 1 })
    clock.advance(seconds: 3600 - 361)
    #expect(clock.sleeperCount == 1)
    clock.advance(seconds: 1)
    #expect(try await eventually { user.heldIDToken != token && clock.sleeperCount == 1 })
    #expect(bench.server.requests("v1/token").count == 1)
  }

  @Test func `it tries again with longer pauses, sixteen minutes at most`() async throws {
    let clock = ManualClock()
    let bench = try Bench(clock: clock, refreshesProactively: true)
    let user = try await bench.signedIn()
    bench.server.on("v1/token", failing: .offline)
    clock.advance(seconds: 0)
    #expect(try await eventually { clock.sleeperCount == 1 })
    clock.advance(seconds: 3600)
    var pauses: [TimeInterval] = []
    for number in 1...8 {
      #expect(
        try await eventually {
          clock.sleeperCount == 1 && bench.server.requests("v1/token").count == number
        })
      let pause = try #require(clock.slept.last)
      pauses.append(pause)
      clock.advance(seconds: pause)
    }
    #expect(pauses == [30, 60, 120, 240, 480, 960, 960, 960])
    #expect(bench.client.currentUser == user)
  }

  @Test func `nothing is sent before the app asks`() async throws {
    let clock = ManualClock()
    let bench = try Bench(clock: clock)
    try await bench.signedIn()
    let later = AuthClient(
      configuration: try Bench.configuration(refreshesProactively: true), store: bench.store,
      transport: bench.server, clock: clock)
    let sent = bench.server.requests.count
    #expect(later.currentUser != nil)
    clock.advance(seconds: 4000)
    #expect(clock.sleeperCount == 0)
    #expect(bench.server.requests.count == sent)
  }

  @Test func `refreshing ends with the session, and with the client`() async throws {
    let clock = ManualClock()
    var bench: Bench? = try Bench(clock: clock, refreshesProactively: true)
    try await bench?.signedIn()
    #expect(try await eventually { clock.sleeperCount == 1 })
    try bench?.client.signOut()
    #expect(try await eventually { clock.sleeperCount == 0 })
    try await bench?.signedIn()
    #expect(try await eventually { clock.sleeperCount == 1 })
    bench = nil
    #expect(try await eventually { clock.sleeperCount == 0 })
  }

  @Test func `a user outlives the client, and keeps the store up to date`() async throws {
    let store = MemoryStore()
    let clock = ManualClock(isImpatient: true)
    var bench: Bench? = try Bench(store: store, clock: clock)
    let user = try #require(try await bench?.signedIn())
    bench = nil
    clock.advance(seconds: 4000)
    let token = try await user.idToken()
    #expect(try Bench(store: store, clock: clock).client.currentUser?.heldIDToken == token)
  }
}
