import HTTPTypes

/// What was told about clients beforehand. An app that was never mentioned may sign people in too:
/// then any secret of the right form is taken.
struct ClientRegistry: Sendable {
  private let limit: Int
  private var clients: [Key: RegisteredClient] = [:]
  private(set) var appleKeys: [AppleTeamKey] = []
  private var transfers: [Identifier: String] = [:]

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

  /// - Throws: `too_many_clients`.
  mutating func put(_ client: RegisteredClient) throws(SimulatorError) {
    let key = Key(provider: client.provider, client: Identifier(client.clientID))
    guard clients[key] != nil || clients.count < limit else {
      throw SimulatorError(
        .conflict, "too_many_clients", "There are \(limit) clients. POST /simulator/reset.")
    }
    clients[key] = client
  }

  /// Adds a key, or replaces the one of the same team and id.
  ///
  /// - Throws: `too_many_clients`.
  mutating func put(_ key: AppleTeamKey) throws(SimulatorError) {
    appleKeys.removeAll { $0.teamID.isSame(as: key.teamID) && $0.keyID.isSame(as: key.keyID) }
    guard appleKeys.count < limit else {
      throw SimulatorError(
        .conflict, "too_many_clients", "There are \(limit) keys. POST /simulator/reset.")
    }
    appleKeys.append(key)
  }

  /// The team an Apple app belongs to.
  func appleTeam(of clientID: String) -> String {
    self[.apple, clientID]?.teamID ?? RegisteredClient.defaultTeamID
  }

  /// The team an Apple app belonged to before its transfer.
  func formerAppleTeam(of clientID: String) -> String? { transfers[Identifier(clientID)] }

  /// Moves an Apple app to another team.
  ///
  /// - Throws: `too_many_clients`.
  mutating func transferAppleApp(_ clientID: String, to teamID: String) throws(SimulatorError) {
    let former = appleTeam(of: clientID)
    var client =
      self[.apple, clientID] ?? RegisteredClient(provider: .apple, clientID: clientID)
    client.teamID = teamID
    try put(client)
    transfers[Identifier(clientID)] = former
  }
}

/// A client that is told about, so that its secret, team or redirect URIs are checked.
struct RegisteredClient: Sendable {
  /// The team of Apple apps that nobody mentioned. All are of one team, so a person has one `sub` for
  /// an app and its website.
  static let defaultTeamID = "SIMULATED0"

  let provider: Provider
  let clientID: String
  /// What Google and OpenID Connect clients must present; nil takes anything.
  var clientSecret: String?
  /// Apple only.
  var teamID: String?
  /// The only ones taken at the authorization endpoint; empty takes any.
  var redirectURIs: [String] = []
}

/// A public key that an Apple team signs its client secrets with.
struct AppleTeamKey: Sendable {
  let teamID: String
  let keyID: String
  /// An elliptic-curve key on P-256, as PEM (`-----BEGIN PUBLIC KEY-----`).
  let publicKeyPEM: String
}
