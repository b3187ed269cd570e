import HTTPTypes

/// The registered clients. An unregistered app can sign persons in too: then every secret of the
/// right form is accepted.
struct ClientRegistry: Sendable {
  private let limit: Int
  private var clients: [Key: RegisteredClient] = [:]

  private struct Key: Hashable, Sendable {
    let provider: Provider
    let client: Identifier
  }

  init(limit: Int) { self.limit = limit }

  var all: [RegisteredClient] {
    clients.values.sorted {
      ($0.provider.rawValue, $0.clientID) < ($1.provider.rawValue, $1.clientID)
    }
  }

  subscript(provider: Provider, clientID: String) -> RegisteredClient? {
    clients[Key(provider: provider, client: Identifier(clientID))]
  }

  /// - Throws: `too_many_clients`; errors of the provider's own checks.
  mutating func put(_ client: RegisteredClient) throws(SimulatorError) {
    try client.provider.kind.check(client, in: self)
    let key = Key(provider: client.provider, client: Identifier(client.clientID))
    guard clients[key] != nil || clients.count < limit else {
      throw SimulatorError(
        .conflict, "too_many_clients", "The limit is \(limit) clients. POST /simulator/reset.")
    }
    clients[key] = client
  }
}
