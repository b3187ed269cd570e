import Crypto
import Foundation
import GatehouseServer
import GatehouseProtocol

/// Facebook in memory: what the Graph API returns for one access token and its user.
struct FacebookStub {
  static let inspection = "https://graph.facebook.com/debug_token"
  static let profile = "https://graph.facebook.com/me"
  static let permissions = "https://graph.facebook.com/me/permissions"
  static let keys = "https://limited.facebook.com/.well-known/oauth/openid/jwks/"
  static let appID = "1234567890"
  static let appSecret = "an-app-secret"
  static let userID = "10158000000000001"
  static let accessToken = "EAABaccessToken"

  let provider: Provider

  init() throws {
    provider = try Provider()
    inspect()
    provider.transport.on(Self.profile, Self.person)
    if let rsa = TestKey.rsa { provider.transport.on(Self.keys, try TestKey.set([rsa])) }
  }

  static var configuration: ProviderConfiguration {
    var configuration = ProviderConfiguration(
      id: .facebook, clientID: appID, trustEmail: .never)
    configuration.isEnabled = true
    configuration.clientSecret = Secret(appSecret)
    return configuration
  }

  static let person: JSONObject = [
    "id": .string(userID), "name": "Ada Lovelace", "email": "Ada@Example.com",
    "first_name": "Ada", "last_name": "Lovelace",
    "picture": [
      "data": [
        "height": 50, "is_silhouette": false, "url": "https://example.com/ada.jpg", "width": 50,
      ]
    ],
  ]

  /// What `debug_token` returns for the token; a change to null removes the member.
  func inspect(_ changes: JSONObject = [:]) {
    let seconds = Int64(provider.now.timeIntervalSince1970)
    var data: JSONObject = [
      "app_id": .string(Self.appID), "type": "USER", "application": "Example",
      "data_access_expires_at": .number(JSONNumber(seconds + 7200)),
      "expires_at": .number(JSONNumber(seconds + 3600)), "is_valid": true,
      "scopes": ["email", "public_profile"], "user_id": .string(Self.userID),
    ]
    for member in changes.members {
      data[member.name] = member.value.isNull ? nil : member.value
    }
    provider.transport.on(Self.inspection, ["data": .object(data)])
  }

  func signIn(
    _ accessToken: String = accessToken, nonce: String? = nil,
    for configuration: ProviderConfiguration = configuration
  ) async throws(FederationError) -> ExternalIdentity {
    try await provider.federation.identity(
      from: IdPCredential(accessToken: Secret(accessToken), rawNonce: nonce), for: configuration,
      now: provider.now)
  }

  func limitedLogin(_ changes: JSONObject = [:], nonce: String? = nil) async throws
    -> ExternalIdentity
  {
    var claims = provider.claims([
      "iss": "https://www.facebook.com", "aud": .string(Self.appID), "sub": .string(Self.userID),
    ])
    for member in changes.members {
      claims[member.name] = member.value.isNull ? nil : member.value
    }
    guard let key = TestKey.rsa else { throw MissingKey() }
    return try await provider.identity(
      try key.token(claims), nonce: nonce, for: Self.configuration)
  }

  /// `appsecret_proof`, computed by swift-crypto itself.
  static func proof(of token: String) -> String {
    HMAC<SHA256>.authenticationCode(
      for: Data(token.utf8), using: SymmetricKey(data: Data(appSecret.utf8))
    ).map { String(format: "%02x", $0) }.joined()
  }

  private struct MissingKey: Error {}
}
