import Crypto
import Foundation
import Hummingbird

private struct ClientBody: RequestBodyMembers {
  static let members: Set<String> = [
    "provider", "client_id", "client_secret", "team_id", "primary_app", "notification_url",
    "redirect_uris", "token_endpoint_auth_method", "jwks",
  ]
  private static let maximumKeys = 10
  private static let maximumBytes = 2_048

  var provider: Provider
  var client_id: String
  var client_secret: String?
  var team_id: String?
  var primary_app: String?
  var notification_url: String?
  var redirect_uris: [String]?
  var token_endpoint_auth_method: AuthenticationMethod?
  /// RFC 7517 §5.
  var jwks: JSONValue?

  /// - Throws: `invalid_request`.
  func client(allowedHosts: [String]) throws(SimulatorError) -> RegisteredClient {
    guard (1...Self.maximumBytes).contains(client_id.utf8.count) else {
      throw .invalidRequest("\"client_id\" must be 1 to \(Self.maximumBytes) bytes.")
    }
    for (member, value) in [
      ("team_id", team_id), ("primary_app", primary_app), ("notification_url", notification_url),
    ] where value != nil && provider != .apple {
      throw .invalidRequest("Only clients of apple have a \"\(member)\".")
    }
    if let notification_url {
      guard primary_app == nil else {
        throw .invalidRequest("Notifications go to the primary app: give it the notification_url.")
      }
      try NotificationURL.check(notification_url, allowedHosts: allowedHosts)
    }
    guard provider != .apple || client_secret == nil else {
      throw .invalidRequest(
        "Apple has no fixed secrets. Register the team's key: PUT /simulator/apple/team-keys.")
    }
    for uri in redirect_uris ?? [] {
      try RedirectURI.check(uri, webOnly: provider == .apple)
    }
    return RegisteredClient(
      provider: provider, clientID: client_id, clientSecret: client_secret,
      authenticationMethod: token_endpoint_auth_method, keys: try keys(), teamID: team_id,
      primaryApp: primary_app, notificationURL: notification_url, redirectURIs: redirect_uris ?? [])
  }
}

extension ClientBody {
  /// - Throws: `invalid_request`.
  private func keys() throws(SimulatorError) -> [ClientKey] {
    guard
      provider != .apple && provider != .facebook
        || token_endpoint_auth_method == nil && jwks == nil
    else {
      throw .invalidRequest(
        "Apple and Facebook have one way to authenticate: no token_endpoint_auth_method, no jwks.")
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

private struct AppleTeamKeyBody: RequestBodyMembers {
  static let members: Set<String> = ["team_id", "key_id", "public_key"]

  var team_id: String
  var key_id: String
  /// PEM.
  var public_key: String
}

private struct TransferBody: RequestBodyMembers {
  static let members: Set<String> = ["client_id", "team_id"]

  var client_id: String
  var team_id: String
}

extension ControlRoutes {
  /// `GET /simulator/clients`. Doesn't show secrets.
  func listClients() throws -> Response {
    let clients = store.withState { $0.clients.all }
    return try .json(["clients": .array(clients.map(\.json))])
  }

  /// `PUT /simulator/clients`: tells about a client, in place of what was told before.
  func putClient(_ request: Request) async throws -> Response {
    let body: ClientBody = try await JSONDecoder.body(of: request, limit: bodyLimit)
    let client = try body.client(allowedHosts: store.configuration.allowedHosts)
    try store.withState { state throws(SimulatorError) in try state.clients.put(client) }
    return try .json(client.json)
  }

  /// `PUT /simulator/apple/team-keys`: from now on the client secrets of the team must be signed with
  /// one of its keys.
  func putAppleTeamKey(_ request: Request) async throws -> Response {
    let body: AppleTeamKeyBody = try await JSONDecoder.body(of: request, limit: bodyLimit)
    guard (try? P256.Signing.PublicKey(pemRepresentation: body.public_key)) != nil else {
      throw SimulatorError.invalidRequest(
        "\"public_key\" must be a P-256 public key as PEM: openssl ec -in key.p8 -pubout.")
    }
    let key = AppleTeamKey(
      teamID: body.team_id, keyID: body.key_id, publicKeyPEM: body.public_key)
    try store.withState { state throws(SimulatorError) in try state.clients.put(key) }
    return try .json([:])
  }

  /// `POST /simulator/apple/transfer`: the app goes to another team. Everybody's `sub` and relay
  /// address change, tokens get a `transfer_sub`, the old `sub` has the state `transferred`.
  func transferAppleApp(_ request: Request) async throws -> Response {
    let body: TransferBody = try await JSONDecoder.body(of: request, limit: bodyLimit)
    let now = store.now
    try store.withState { state throws(SimulatorError) in
      try state.clients.transferAppleApp(body.client_id, to: body.team_id, at: now)
    }
    return try .json([:])
  }
}

extension RegisteredClient {
  fileprivate var json: JSONValue {
    [
      "provider": .string(provider.rawValue),
      "client_id": .string(clientID),
      "has_client_secret": .bool(clientSecret != nil),
      "team_id": provider == .apple ? .string(teamID ?? Self.defaultTeamID) : .null,
      "primary_app": .optional(primaryApp),
      "notification_url": .optional(notificationURL),
      "redirect_uris": .strings(redirectURIs),
      "token_endpoint_auth_method": .optional(authenticationMethod?.rawValue),
      "keys": .integer(keys.count),
    ]
  }
}
