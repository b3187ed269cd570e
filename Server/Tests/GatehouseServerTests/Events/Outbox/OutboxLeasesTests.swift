import GatehouseServer
import Testing

@Suite struct OutboxLeasesTests {
  @Test func `slow providers and mail servers don't lengthen the lease of a webhook's event`() {
    let leases = OutboxLeases(providerCallSeconds: 60, mailAttemptSeconds: 300)
    let seconds = OutboxTask.Kind.allCases.map { leases.seconds(for: $0) }
    #expect(
      zip(OutboxTask.Kind.allCases, seconds).map { "\($0.rawValue) \(Int($1))" } == [
        "exchange-code 600", "revoke 600", "apply-event 60", "forward-notification 60",
        "send-mail 600", "deliver-event 60",
      ])
  }

  @Test func `no lease is shorter than a minute`() {
    let leases = OutboxLeases(providerCallSeconds: 1, mailAttemptSeconds: 1)
    #expect(OutboxTask.Kind.allCases.allSatisfy { leases.seconds(for: $0) == 60 })
  }

  @Test func `a later attempt's lease is as long as the delay after its failure`() {
    let leases = OutboxLeases(providerCallSeconds: 60)
    var generator = SystemRandomNumberGenerator()
    let seconds = { (kind: OutboxTask.Kind, attempt: Int) in
      leases.seconds(for: kind, attempt: attempt, using: &generator)
    }
    #expect(seconds(.deliverEvent, 1) == 60)
    #expect((240...400).contains(seconds(.deliverEvent, 7)))
    #expect(seconds(.revoke, 7) == 600)
    #expect((2700...4500).contains(seconds(.revoke, 1000)))
  }
}
