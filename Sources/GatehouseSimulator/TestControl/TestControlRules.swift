import Foundation
import Hummingbird

/// What a test says and sees of a kind of provider, beyond what it does of all.
protocol TestControlRules: Sendable {
  /// What the provider calls a person towards every client; nil where that depends on more.
  func subject(of person: Person) -> String?

  /// What more is told of a person.
  func describe(_ person: Person) -> [String: JSONValue]

  /// What a test can say of a person's account, as a member named as the provider is.
  var accountType: (any ProviderAccount.Type)? { get }

  /// Members of `PUT /simulator/clients` that only this kind's clients have.
  var clientMembers: [String] { get }

  /// Whether its clients can choose how they authenticate (`token_endpoint_auth_method`, `jwks`).
  var hasAuthenticationMethods: Bool { get }

  /// Whether only `http` and `https` are taken for a redirect URI.
  var redirectsToWebOnly: Bool { get }

  /// - Throws: `invalid_request` for a client as a test describes it.
  func check(_ client: RegisteredClient, allowedHosts: [String]) throws(SimulatorError)

  /// - Throws: `invalid_request` for a client that doesn't go with the others.
  func check(_ client: RegisteredClient, in clients: ClientRegistry) throws(SimulatorError)

  /// The values of ``clientMembers``, those that weren't told included.
  func describe(_ client: RegisteredClient) -> [String: JSONValue]

  /// Whether a person can hide the address from a client.
  var hidesAddresses: Bool { get }

  /// Told after consents have ended, because a person withdrew or because the account is gone.
  ///
  /// - Returns: What the provider told the clients of it, for the call's answer.
  func consentsEnded(
    _ ended: [ConsentKey], accountIsGone: Bool, _ store: SimulatorStore
  ) async throws -> [JSONValue]

  /// Its own calls below `/simulator`, and their lines in the index.
  func addControl(_ store: SimulatorStore, to group: RouterGroup<SimulatorContext>)
  var controlEndpoints: [Endpoint] { get }

  /// What the overview shows only of this kind: a section each, as HTML; and of a consent, of a
  /// client.
  func overviewSections(_ state: SimulatorState, baseURL: String) -> [(title: String, html: String)]
  func overviewActions(_ key: ConsentKey, _ consent: Consent) -> String
  func overviewDetails(_ client: RegisteredClient, _ state: SimulatorState) -> [String]
}

extension TestControlRules {
  func subject(of person: Person) -> String? { nil }
  func describe(_ person: Person) -> [String: JSONValue] { [:] }
  var accountType: (any ProviderAccount.Type)? { nil }
  var clientMembers: [String] { [] }
  var hasAuthenticationMethods: Bool { true }
  var redirectsToWebOnly: Bool { false }
  func check(_ client: RegisteredClient, allowedHosts: [String]) throws(SimulatorError) {}
  func check(_ client: RegisteredClient, in clients: ClientRegistry) throws(SimulatorError) {}
  func describe(_ client: RegisteredClient) -> [String: JSONValue] { client.details }
  var hidesAddresses: Bool { false }

  func consentsEnded(
    _ ended: [ConsentKey], accountIsGone: Bool, _ store: SimulatorStore
  ) async throws -> [JSONValue] { [] }

  func addControl(_ store: SimulatorStore, to group: RouterGroup<SimulatorContext>) {}
  var controlEndpoints: [Endpoint] { [] }

  func overviewSections(
    _ state: SimulatorState, baseURL: String
  ) -> [(title: String, html: String)] { [] }
  func overviewActions(_ key: ConsentKey, _ consent: Consent) -> String { "" }
  func overviewDetails(_ client: RegisteredClient, _ state: SimulatorState) -> [String] { [] }
}

extension SimulatorStore {
  /// Tells the kinds of providers whose consents ended, in the order in which they are listed.
  ///
  /// - Returns: What they told the clients.
  func tellEnded(_ ended: [ConsentKey], accountIsGone: Bool) async throws -> [JSONValue] {
    var told: [JSONValue] = []
    for kind in Provider.kinds {
      let own = ended.filter { $0.provider.kind.id == kind.id }
      guard !own.isEmpty else { continue }
      told += try await kind.consentsEnded(own, accountIsGone: accountIsGone, self)
    }
    return told
  }
}
