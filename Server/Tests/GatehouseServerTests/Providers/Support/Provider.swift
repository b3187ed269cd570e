import Crypto
import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens
import Logging
import Testing

/// An OpenID Connect provider in memory, and a federation that knows it.
struct Provider {
  static let issuer = "https://idp.example.com"
  static let discovery = "https://idp.example.com/.well-known/openid-configuration"
  static let keys = "https://idp.example.com/jwks"
  static let token = "https://idp.example.com/token"
  static let revoke = "https://idp.example.com/revoke"
  static let userInfo = "https://idp.example.com/userinfo"
  static let appleKeys = "https://appleid.apple.com/auth/keys"
  static let appleToken = "https://appleid.apple.com/auth/token"
  static let appleRevoke = "https://appleid.apple.com/auth/revoke"
  static let googleKeys = "https://www.googleapis.com/oauth2/v3/certs"

  let now = Date(timeIntervalSince1970: 1_800_000_000)
  let transport = StubTransport()
  let key = TestKey.p256("key-1")
  private(set) var federation: Federation
  var configuration: ProviderConfiguration

  /// - Parameter discovery: Members that replace those of the discovery document.
  init(
    discovery changes: JSONObject = [:], keys: [TestKey]? = nil,
    options: FederationOptions = FederationOptions()
  ) throws {
    var document: JSONObject = [
      "issuer": .string(Self.issuer), "jwks_uri": .string(Self.keys),
      "token_endpoint": .string(Self.token), "revocation_endpoint": .string(Self.revoke),
      "userinfo_endpoint": .string(Self.userInfo),
    ]
    for member in changes.members { document[member.name] = member.value }
    transport.on(Self.discovery, document)
    transport.on(Self.keys, try TestKey.set(keys ?? [key]))
    if let rsa = TestKey.rsa {
      transport.on(Self.appleKeys, try TestKey.set([rsa]))
      transport.on(Self.googleKeys, try TestKey.set([rsa]))
    }
    federation = Federation(
      outbound: transport, options: options,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    configuration = try Self.openIDConnect()
  }

  static func openIDConnect() throws -> ProviderConfiguration {
    var configuration = ProviderConfiguration(
      id: try #require(ProviderID("oidc.example")), clientID: "client-1", trustEmail: .never)
    configuration.issuer = issuer
    configuration.isEnabled = true
    return configuration
  }

  static func apple(privateKey: String? = nil) -> ProviderConfiguration {
    var configuration = ProviderConfiguration(
      id: .apple, clientID: "com.example.web", trustEmail: .always)
    configuration.isEnabled = true
    configuration.apple = .init(
      bundleIDs: ["com.example.app"], teamID: "TEAM123456", keyID: "KEY1234567",
      privateKey: Secret(privateKey ?? P256.Signing.PrivateKey().pemRepresentation))
    return configuration
  }

  static func google() -> ProviderConfiguration {
    var configuration = ProviderConfiguration(
      id: .google, clientID: "google-client", trustEmail: .authoritative)
    configuration.isEnabled = true
    return configuration
  }

  /// The same provider with another configuration.
  func configured(_ change: (inout ProviderConfiguration) -> Void) -> Provider {
    var provider = self
    change(&provider.configuration)
    return provider
  }

  /// The same provider, with this log.
  func logging(to logger: Logger) -> Provider {
    var provider = self
    provider.federation = Federation(outbound: transport, logger: logger)
    return provider
  }

  /// Claims of a valid token, for an hour from ``now``. A change to null removes the claim.
  func claims(_ changes: JSONObject = [:]) -> JSONObject {
    let seconds = Int64(now.timeIntervalSince1970)
    return Self.changed(
      [
        "iss": .string(Self.issuer), "aud": "client-1", "sub": "alice",
        "iat": .number(JSONNumber(seconds)), "exp": .number(JSONNumber(seconds + 3600)),
      ], changes)
  }

  func appleToken(_ changes: JSONObject = [:], key: TestKey? = TestKey.rsa) throws -> String {
    let apple: JSONObject = ["iss": "https://appleid.apple.com", "aud": "com.example.app"]
    return try #require(key).token(claims(Self.changed(apple, changes)), header: [:])
  }

  func googleToken(_ changes: JSONObject = [:]) throws -> String {
    let google: JSONObject = ["iss": "https://accounts.google.com", "aud": "google-client"]
    return try #require(TestKey.rsa).token(claims(Self.changed(google, changes)))
  }

  func identity(
    _ token: String, nonce: String? = nil, accessToken: String? = nil,
    for configuration: ProviderConfiguration? = nil, at now: Date? = nil
  ) async throws(FederationError) -> ExternalIdentity {
    try await federation.identity(
      from: IdPCredential(
        idToken: Secret(token), accessToken: accessToken.map { Secret($0) }, rawNonce: nonce),
      for: configuration ?? self.configuration, now: now ?? self.now)
  }

  /// The identity of a token of the OpenID Connect provider with these changes.
  func identity(
    _ changes: JSONObject, nonce: String? = nil, accessToken: String? = nil
  ) async throws -> ExternalIdentity {
    try await identity(try key.token(claims(changes)), nonce: nonce, accessToken: accessToken)
  }

  private static func changed(_ claims: JSONObject, _ changes: JSONObject) -> JSONObject {
    var claims = claims
    for member in changes.members {
      claims[member.name] =
        member.value.isNull && member.name != "email_verified" ? nil : member.value
    }
    return claims
  }

  static func sha256Hex(_ text: String) -> String {
    SHA256.hash(data: Data(text.utf8)).map { String(format: "%02x", $0) }.joined()
  }
}
