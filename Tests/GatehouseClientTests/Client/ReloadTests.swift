import Foundation
import GatehouseClient
import GatehouseProtocol
import Testing

/// Responses to look-ups of the profile that arrive late.
@Suite struct ReloadTests {
  private static let offline: ScriptedTransport.Answer = { (_) throws(TransportFault) in
    throw .network(NetworkFault(.offline, detail: "scripted"))
  }

  private static func profile(_ displayName: String, google: Bool = false) -> LookupResponse {
    var alice = Answers.alice(displayName: displayName)
    if google {
      alice.providers.append(ProviderUserInfo(providerID: "google.com", rawID: "g-alice"))
    }
    return LookupResponse(users: [alice])
  }

  /// A response with the profile from before the change; it arrives when `gate` is opened.
  private static func late(_ gate: TestGate) -> ScriptedTransport.Answer {
    { (_) throws(TransportFault) in
      await gate.wait()
      return ScriptedTransport.ok(Self.profile("Old"))
    }
  }

  private static let linked = ScriptedTransport.answering { Self.profile("New", google: true) }

  @Test func `a profile that was asked for before a link doesn't undo the link`() async throws {
    let bench = try Bench()
    let user = try await bench.signedIn()
    let gate = TestGate()
    bench.server.on("accounts:lookup", inTurn: [Self.late(gate), Self.linked])
    let reload = Task { try await user.reload() }
    #expect(try await eventually { bench.server.requests("accounts:lookup").count == 2 })
    try await user.link(.google(idToken: "t", nonce: Nonce()))
    gate.open()
    try await reload.value
    #expect(user.snapshot.provider(.google)?.uid == "g-alice")
    #expect(user.snapshot.displayName == "New")
    #expect(bench.server.requests("accounts:lookup").count == 3)
  }

  @Test func `the profile is asked for again if it is unknown after a link`() async throws {
    let bench = try Bench()
    let user = try await bench.signedIn()
    let gate = TestGate()
    bench.server.on("accounts:lookup", inTurn: [Self.late(gate), Self.offline, Self.linked])
    let reload = Task { try await user.reload() }
    #expect(try await eventually { bench.server.requests("accounts:lookup").count == 2 })
    try await user.link(.google(idToken: "t", nonce: Nonce()))
    #expect(user.snapshot.displayName == "Alice")
    gate.open()
    try await reload.value
    #expect(user.snapshot.provider(.google)?.uid == "g-alice")
    #expect(bench.server.requests("accounts:lookup").count == 4)
  }

  @Test func `the profile of a later look-up stays`() async throws {
    let bench = try Bench()
    let user = try await bench.signedIn()
    let gate = TestGate()
    bench.server.on("accounts:lookup", inTurn: [Self.late(gate), Self.linked])
    let first = Task { try await user.reload() }
    #expect(try await eventually { bench.server.requests("accounts:lookup").count == 2 })
    try await user.reload()
    gate.open()
    try await first.value
    #expect(user.snapshot.displayName == "New")
    #expect(try bench.otherProcess().currentUser?.snapshot.displayName == "New")
    #expect(bench.server.requests("accounts:lookup").count == 3)
  }
}
