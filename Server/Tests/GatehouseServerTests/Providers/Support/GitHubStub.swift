import Foundation
import GatehouseServer
import GatehouseProtocol

/// GitHub in memory: what its REST API returns for one access token and its user.
struct GitHubStub {
  static let clientID = "Iv1.0123456789abcdef"
  static let secret = "a-client-secret"
  static let check = "https://api.github.com/applications/\(clientID)/token"
  static let grant = "https://api.github.com/applications/\(clientID)/grant"
  static let user = "https://api.github.com/user"
  static let emails = "https://api.github.com/user/emails"
  static let token = "https://github.com/login/oauth/access_token"
  static let accessToken = "gho_accessToken"

  let provider: Provider

  init() throws {
    provider = try Provider()
    checks()
    provider.transport.on(Self.user, Self.profile)
    provider.transport.on(
      Self.emails,
      JSONValue.array([
        ["email": "ada@work.example.com", "primary": false, "verified": true],
        ["email": "Ada@Example.com", "primary": true, "verified": true, "visibility": "private"],
      ]).serialized())
  }

  static var configuration: ProviderConfiguration {
    var configuration = ProviderConfiguration(
      id: .github, clientID: clientID, trustEmail: .never)
    configuration.isEnabled = true
    configuration.clientSecret = Secret(secret)
    return configuration
  }

  static let profile: JSONObject = [
    "login": "ada", "id": 583_231, "avatar_url": "https://avatars.example.com/u/583231",
    "name": "Ada Lovelace", "email": "public@example.com", "two_factor_authentication": true,
  ]

  /// What the check of the token returns; a change to null removes the member.
  func checks(_ changes: JSONObject = [:]) {
    var answer: JSONObject = [
      "id": 1, "token": .string(Self.accessToken), "scopes": ["user:email"],
      "app": [
        "client_id": .string(Self.clientID), "name": "Example", "url": "https://example.com",
      ],
      "user": ["login": "ada", "id": 583_231],
    ]
    for member in changes.members {
      answer[member.name] = member.value.isNull ? nil : member.value
    }
    provider.transport.on(Self.check, answer)
  }

  func signIn(
    _ accessToken: String? = accessToken, idToken: String? = nil, nonce: String? = nil,
    for configuration: ProviderConfiguration = configuration
  ) async throws(FederationError) -> ExternalIdentity {
    try await provider.federation.identity(
      from: IdPCredential(
        idToken: idToken.map { Secret($0) }, accessToken: accessToken.map { Secret($0) },
        rawNonce: nonce), for: configuration, now: provider.now)
  }
}
