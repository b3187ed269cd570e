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
    for kind in Provider.kinds where kind.id != provider.kind.id {
      for member in kind.clientMembers where details[member] != nil {
        throw .invalidRequest("Only clients of \(kind.id) have a \"\(member)\".")
      }
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
