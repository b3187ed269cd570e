#if canImport(Security) && os(Linux)
  import Foundation
  import GatehouseClient
  import Security
  import Testing

  @Suite struct ExpiringActivityTests {
    @Test func `an app isn't suspended between the request for new tokens and their storing`()
      async throws
    {
      let activities = SimulatedActivities()
      let bench = try Bench()
      let user = try await bench.signedIn()
      bench.server.on("v1/token") { (_) throws(TransportFault) in
        #expect(activities.running == 1)
        return ScriptedTransport.ok(Answers.refreshed(now: bench.clock.now))
      }
      try await SimulatedActivities.$current.withValue(activities) {
        _ = try await user.idToken(forcingRefresh: true)
      }
      #expect(try await eventually { activities.running == 0 })
    }

    @Test func `an activity ends when the system's time is over`() async throws {
      let activities = SimulatedActivities()
      let bench = try Bench()
      let user = try await bench.signedIn()
      let gate = TestGate()
      bench.server.on("v1/token") { (_) throws(TransportFault) in
        await gate.wait()
        return ScriptedTransport.ok(Answers.refreshed(now: bench.clock.now))
      }
      try await SimulatedActivities.$current.withValue(activities) {
        async let token = user.idToken(forcingRefresh: true)
        #expect(try await eventually { activities.running == 1 })
        activities.expire()
        #expect(try await eventually { activities.running == 0 })
        gate.open()
        _ = try await token
      }
    }
  }
#endif
