import Foundation
import Hummingbird

private struct ClientBody: RequestBodyMembers {
  private static let common: Set<String> = [
    "provider", "client_id", "client_secret", "redirect_uris", "token_endpoint_auth_method", "jwks",
  ]
  private static let maximumKeys = 10
  private static let maximumBytes = 2_048

  static var members: Set<String> { common.union(Provider.kinds.flatMap(\.clientMembers)) }

  private enum CodingKeys: String, CodingKey {
    case provider, client_id, client_secret, redirect_uris, token_endpoint_auth_method, jwks
  }

  let provider: Provider
  let client_id: String
  let client_secret: String?
  let redirect_uris: [String]?
  let token_endpoint_auth_method: AuthenticationMethod?
  /// RFC 7517 §5.
  let jwks: JSONValue?
  /// The values of ``TestControlRules/clientMembers``, by name.
  private var details: [String: JSONValue] = [:]

  init(from decoder: any Decoder) throws {
    let common = try decoder.container(keyedBy: CodingKeys.self)
    provider = try common.decode(Provider.self, forKey: .provider)
    client_id = try common.decode(String.self, forKey: .client_id)
    client_secret = try common.decodeIfPresent(String.self, forKey: .client_secret)
    redirect_uris = try common.decodeIfPresent([String].self, forKey: .redirect_uris)
    token_endpoint_auth_method = try common.decodeIfPresent(
      AuthenticationMethod.self, forKey: .token_endpoint_auth_method)
    jwks = try common.decodeIfPresent(JSONValue.self, forKey: .jwks)
    let ofProviders = try decoder.container(keyedBy: MemberName.self)
    for name in Provider.kinds.flatMap(\.clientMembers) {
      details[name] = try ofProviders.decodeIfPresent(JSONValue.self, forKey: MemberName(name))
    }
  }

  /// - Throws: `invalid_request`.
  func client(allowedHosts: [String]) throws(SimulatorError) -> RegisteredClient {
    guard (1...Self.maximumBytes).contains(client_id.utf8.count) else {
      throw .invalidRequest("\"client_id\" must be 1 to \(Self.maximumBytes) bytes.")
    }
    let own = Set(provider.kind.clientMembers)
    for member in details.keys.sorted() where !own.contains(member) {
      let owners = Provider.kinds.filter { $0.clientMembers.contains(member) }.map(\.id)
      throw .invalidRequest(
        "Only clients of \(owners.joined(separator: " and ")) have a \"\(member)\".")
    }
    var client = RegisteredClient(
      provider: provider, clientID: client_id, clientSecret: client_secret,
      authenticationMethod: token_endpoint_auth_method, details: details,
      redirectURIs: redirect_uris ?? [])
    try provider.kind.check(client, allowedHosts: allowedHosts)
    for uri in client.redirectURIs {
      try RedirectURI.check(uri, webOnly: provider.kind.redirectsToWebOnly)
    }
    client.keys = try keys()
    return client
  }

  /// - Throws: `invalid_request`.
  private func keys() throws(SimulatorError) -> [ClientKey] {
    guard
      provider.kind.hasAuthenticationMethods || token_endpoint_auth_method == nil && jwks == nil
    else {
      throw .invalidRequest(
        "\(provider.displayName) has only one authentication method: "
          + "no token_endpoint_auth_method, no jwks.")
    }
    guard let jwks else {
      guard token_endpoint_auth_method != .privateKeyJWT else {
        throw .invalidRequest("private_key_jwt needs \"jwks\".")
      }
      return []
    }
    guard case .array(let values) = jwks["keys"], (1...Self.maximumKeys).contains(values.count)
    else {
      throw .invalidRequest("\"jwks\" must be {\"keys\":[…]} with 1 to \(Self.maximumKeys) keys.")
    }
    var keys: [ClientKey] = []
    for value in values { keys.append(try ClientKey(value)) }
    return keys
  }
}

extension TestControl {
  /// `GET /simulator/clients`: the registered clients, without their secrets.
  func listClients() throws -> Response {
    let clients = store.withState { $0.clients.all }
    return try .json(["clients": .array(clients.map(\.json))])
  }

  /// `PUT /simulator/clients`: registers a client, or replaces one.
  func putClient(_ request: Request) async throws -> Response {
    let body: ClientBody = try await JSONDecoder.body(of: request, limit: bodyLimit)
    let client = try body.client(allowedHosts: store.configuration.allowedHosts)
    try store.withState { state throws(SimulatorError) in try state.clients.put(client) }
    return try .json(client.json)
  }
}

private struct NotificationURLBody: RequestBodyMembers {
  static let members: Set<String> = ["provider", "client_id", NotificationURL.member]

  var provider: Provider
  var client_id: String
  /// Nil to notify the client no longer.
  var notification_url: String?
}

extension TestControl {
  /// `PUT /simulator/notification-url`: changes where a client's server is notified, and nothing
  /// else of the client's registration. Registers a client that isn't registered.
  func putNotificationURL(_ request: Request) async throws -> Response {
    let body: NotificationURLBody = try await JSONDecoder.body(of: request, limit: bodyLimit)
    guard !body.client_id.isEmpty else {
      throw SimulatorError.invalidRequest("\"client_id\" must not be empty.")
    }
    guard body.provider.kind.clientMembers.contains(NotificationURL.member) else {
      throw SimulatorError.invalidRequest("\(body.provider.displayName) notifies no servers.")
    }
    let allowedHosts = store.configuration.allowedHosts
    let client = try store.withState { state throws(SimulatorError) in
      var client =
        state.clients[body.provider, body.client_id]
        ?? RegisteredClient(provider: body.provider, clientID: body.client_id)
      client.notificationURL = body.notification_url
      try body.provider.kind.check(client, allowedHosts: allowedHosts)
      try state.clients.put(client)
      return client
    }
    return try .json(client.json)
  }
}

extension RegisteredClient {
  fileprivate var json: JSONValue {
    var members: [String: JSONValue] = [
      "provider": .string(provider.rawValue),
      "client_id": .string(clientID),
      "has_client_secret": .bool(clientSecret != nil),
      "redirect_uris": .strings(redirectURIs),
      "token_endpoint_auth_method": .optional(authenticationMethod?.rawValue),
      "keys": .integer(keys.count),
    ]
    for name in Provider.kinds.flatMap(\.clientMembers) { members[name] = .null }
    members.merge(provider.kind.describe(self)) { _, new in new }
    return .object(members)
  }
}
