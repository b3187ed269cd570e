import Foundation
import GatehouseClient
import GatehouseProtocol
import Testing

@Suite struct SessionObservationTests {
  @Test func `the first call comes with the latest, before observing returns`() async throws {
    let bench = try Bench()
    let user = try await bench.signedIn()
    let witness = Witness()
    let observation = witness.watch(bench.client)
    #expect(witness.changes.map(\.user) == [user])
    observation.cancel()
  }

  @Test func `each change is told once, with its kinds`() async throws {
    let bench = try Bench()
    let witness = Witness()
    let observation = witness.watch(bench.client)
    let user = try await bench.signedIn()
    bench.clock.advance(seconds: 60)
    _ = try await user.idToken(forcingRefresh: true)
    bench.server.on("accounts:lookup") {
      LookupResponse(users: [Answers.alice(displayName: "Alicia")])
    }
    try await user.reload()
    try await user.reload()
    try bench.client.signOut()
    let all: SessionChange.Kinds = [.session, .idToken, .profile]
    #expect(witness.kinds == [all, all, .idToken, .profile, all])
    #expect(witness.changes.map { $0.user?.uid } == [nil, "alice", "alice", "alice", nil])
    observation.cancel()
  }

  @Test func `a cancelled or released observation gets no more changes`() async throws {
    let bench = try Bench()
    let cancelled = Witness()
    let forgotten = Witness()
    let observation = cancelled.watch(bench.client)
    _ = forgotten.watch(bench.client)
    observation.cancel()
    try await bench.signedIn()
    #expect(cancelled.changes.count == 1)
    #expect(forgotten.changes.count == 1)
  }

  @Test func `an observer may sign out, and is told of it afterwards`() async throws {
    let bench = try Bench()
    let states = Locked<[SessionState]>([])
    let observation = bench.client.observe { [client = bench.client] change in
      if change.user != nil { try? client.signOut() }
      states.withLock { $0.append(change.state) }
    }
    let user = try await bench.signedIn()
    #expect(states.withLock { $0 } == [.signedOut, .signedIn(user.snapshot), .signedOut])
    observation.cancel()
  }

  @Test func `changes from many threads are reported in order`() async throws {
    let bench = try Bench()
    let user = try await bench.signedIn()
    let witness = Witness()
    let observation = witness.watch(bench.client)
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<50 {
        group.addTask {
          bench.server.on("accounts:lookup") {
            LookupResponse(users: [Answers.alice(displayName: "Alice \(number)")])
          }
          try? await user.reload()
        }
      }
    }
    #expect(witness.changes.last?.state == .signedIn(user.snapshot))
    let names = witness.changes.map { $0.state.user?.displayName }
    #expect(zip(names, names.dropFirst()).allSatisfy { $0 != $1 })
    observation.cancel()
  }
}
