import Foundation

/// Who agreed to what: one person, one app, one provider.
struct ConsentKey: Sendable, Hashable {
  let provider: Provider
  let client: Identifier
  let person: Identifier

  /// - Parameter client: The one that holds the consent: see ``SimulatorState/consentKey(_:client:person:)``.
  init(_ provider: Provider, client: String, person: String) {
    self.provider = provider
    self.client = Identifier(client)
    self.person = Identifier(person)
  }
}

/// What a person allowed an app.
struct Consent: Sendable {
  /// Names this consent among all there ever were. Codes and tokens carry it, so that withdrawing
  /// the consent ends them all.
  let id: UInt64
  var scopes: Set<Scope>
  /// Apple's "Hide My Email". Chosen once, and kept until the consent is withdrawn.
  let hidesEmail: Bool
  let givenAt: Date
  /// Whether Apple's relay sends mail on. The person can turn that off for one app.
  var forwardsEmail = true
  var isWithdrawn = false
}
