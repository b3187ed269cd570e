import Foundation

/// Identifies a consent: one person, one app, one provider.
struct ConsentKey: Sendable, Hashable {
  let provider: Provider
  let client: Identifier
  let person: Identifier

  /// - Parameter client: The client that holds the consent: see
  ///   ``SimulatorState/consentKey(_:client:person:)``.
  init(_ provider: Provider, client: String, person: String) {
    self.provider = provider
    self.client = Identifier(client)
    self.person = Identifier(person)
  }
}

/// The access that a person gave an app.
struct Consent: Sendable {
  /// Unique among all consents, ended ones included. Codes and tokens contain it, so that
  /// withdrawing the consent ends them all.
  let id: UInt64
  var scopes: Set<Scope>
  /// Apple's "Hide My Email". Chosen once, and fixed until the consent is withdrawn.
  let hidesEmail: Bool
  let givenAt: Date
  /// Whether Apple's relay forwards mail. The person can turn that off for one app.
  var forwardsEmail = true
  var isWithdrawn = false
}
