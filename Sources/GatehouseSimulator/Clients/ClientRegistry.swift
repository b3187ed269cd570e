import HTTPTypes

/// What was told about clients beforehand. An app that was never mentioned may sign people in too:
/// then any secret of the right form is taken.
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

  /// - Throws: `too_many_clients`; what the kind of provider refuses.
  mutating func put(_ client: RegisteredClient) throws(SimulatorError) {
    try client.provider.kind.check(client, in: self)
    let key = Key(provider: client.provider, client: Identifier(client.clientID))
    guard clients[key] != nil || clients.count < limit else {
      throw SimulatorError(
        .conflict, "too_many_clients", "There are \(limit) clients. POST /simulator/reset.")
    }
    clients[key] = client
  }
}
