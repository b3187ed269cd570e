import Foundation
import GatehouseClient
import Testing

@Suite struct CredentialStatesTests {
  private static let everyAnswer: [ProviderCredentialState?] = [
    nil, .authorized, .revoked, .notFound, .transferred,
  ]
  private static let date = Date(timeIntervalSince1970: 1_799_999_000)

  @Test(arguments: everyAnswer)
  func `without a report to the server the device decides`(_ state: ProviderCredentialState?) {
    #expect(ProviderStanding(.apple, onDevice: state).state == state)
  }

  @Test(arguments: everyAnswer)
  func `a withdrawal that was reported to the server counts, whatever the device answers`(
    _ state: ProviderCredentialState?
  ) {
    #expect(
      ProviderStanding(.google, onDevice: state, consentRevokedAt: Self.date).state == .revoked)
  }

  @Test func `a provider is found by its name`() {
    let google = ProviderStanding(.google, onDevice: .authorized)
    let states = CredentialStates(
      uid: "alice", providers: [ProviderStanding(.apple, onDevice: nil), google])
    #expect(states[.google] == google)
    #expect(states[.password] == nil)
  }
}
