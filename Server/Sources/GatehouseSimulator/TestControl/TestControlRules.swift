import Foundation
import Hummingbird

/// What a test can configure and read for a kind of provider besides what all providers have.
protocol TestControlRules: Sendable {
  /// The person's `sub` at the provider for every client; nil if it depends on the client.
  func subject(of person: Person) -> String?

  /// More members for the description of a person.
  func describe(_ person: Person) -> [String: JSONValue]

  /// The type of the settings of a person's account. In a person's description they are a member
  /// with the provider's name. Nil if there are none.
  var accountType: (any ProviderAccount.Type)? { get }

  /// Members of `PUT /simulator/clients` that only this kind's clients have.
  var clientMembers: [String] { get }

  /// Whether its clients can choose their authentication (`token_endpoint_auth_method`, `jwks`).
  var hasAuthenticationMethods: Bool { get }

  /// Whether redirect URIs must be `http` or `https`.
  var redirectsToWebOnly: Bool { get }

  /// - Throws: `invalid_request` if the client's description is invalid.
  func check(_ client: RegisteredClient, allowedHosts: [String]) throws(SimulatorError)

  /// - Throws: `invalid_request` if the client conflicts with other registered clients.
  func check(_ client: RegisteredClient, in clients: ClientRegistry) throws(SimulatorError)

  /// The values of ``clientMembers``, with defaults for those that weren't registered.
  func describe(_ client: RegisteredClient) -> [String: JSONValue]

  /// Whether a person can hide the email address from a client.
  var hidesAddresses: Bool { get }

  /// Called after consents have ended, because the person withdrew them, the app revoked them, or the
  /// account was deleted.
  ///
  /// - Returns: The notifications that the provider sent to the clients, for the call's response.
  func consentsEnded(
    _ ended: [ConsentKey], accountIsGone: Bool, _ store: SimulatorStore
  ) async throws -> [JSONValue]

  /// Adds this kind's endpoints below `/simulator`. `controlEndpoints` describes them for the index
  /// of endpoints.
  func addControl(_ store: SimulatorStore, to group: RouterGroup<SimulatorContext>)
  var controlEndpoints: [Endpoint] { get }

  /// This kind's parts of the overview: sections as HTML, and additions to a consent's and to a
  /// client's row.
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
  /// Tells each kind of provider which of its consents ended, in the order of ``Provider/kinds``.
  ///
  /// - Returns: The notifications that they sent to the clients.
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
