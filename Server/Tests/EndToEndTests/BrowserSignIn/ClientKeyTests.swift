import Crypto
import CryptoExtras
import Testing

/// A signature in place of a client secret, against the simulator, which checks each part of it
/// with its own code and accepts an assertion once.
@Suite(.developmentServer) struct ClientKeyTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var algorithm: String
    var audience: String

    var testDescription: String { "\(algorithm), \(audience)" }
  }

  private static let rows = [
    Row(algorithm: "ES256", audience: "issuer"), Row(algorithm: "RS256", audience: "issuer"),
    Row(algorithm: "PS256", audience: "issuer"),
    Row(algorithm: "ES256", audience: "tokenEndpoint"),
  ]

  private static func key(_ algorithm: String) throws -> String {
    algorithm == "ES256"
      ? P256.Signing.PrivateKey().pemRepresentation
      : try _RSA.Signing.PrivateKey(keySize: .bits2048).pkcs8PEMRepresentation
  }

  /// Registers our published key with the provider.
  private func register(_ client: String, _ id: String, _ server: GatehouseServer) async throws {
    let keys = try await HTTP.get("\(server.baseURL)/__/auth/keys/demo/\(id)")
    #expect(keys.status == 200)
    let registered = try await HTTP.send(
      .put, "\(server.simulatorURL)/simulator/clients",
      headers: [("content-type", "application/json")],
      body: JSON.object([
        "provider": "oidc", "client_id": .string(client),
        "token_endpoint_auth_method": "private_key_jwt", "jwks": keys.json,
      ]).text)
    #expect((200...299).contains(registered.status), "\(registered.text)")
  }

  private func signIn(_ id: String, _ server: GatehouseServer) async throws -> Reply {
    let app = NativeApp(server: server)
    let end = try await app.open(id, parameters: ["person": try await server.providers.person()])
    return try await app.redeem(end.deepLink["link"], id)
  }

  @Test(arguments: rows)
  func `a provider accepts our assertion, and a new key once it is registered`(
    _ row: Row
  ) async throws {
    let server = try suiteServer()
    let client = Unique.name("client")
    let id = "oidc.key-\(row.algorithm.lowercased())-\(row.audience.lowercased())"
    let configured = try await server.administrator.configure(
      id,
      [
        "issuer": .string("\(server.simulatorURL)/oidc"), "clientId": .string(client),
        "enabled": true, "responseType": ["code": true],
        "clientKey": [
          "privateKey": .string(try Self.key(row.algorithm)), "audience": .string(row.audience),
          "algorithm": .string(row.algorithm),
        ],
      ])
    #expect(configured.verdict == "200")
    try await register(client, id, server)
    #expect(try await signIn(id, server).verdict == "200")

    let replaced = try await server.administrator.call(
      .patch, "oauthIdpConfigs/\(id)?updateMask=clientKey",
      [
        "clientKey": [
          "privateKey": .string(try Self.key(row.algorithm)), "algorithm": .string(row.algorithm),
          "audience": .string(row.audience),
        ]
      ], version: "v2")
    #expect(replaced.verdict == "200")
    let stranger = try await signIn(id, server)
    #expect(stranger.verdict.hasSuffix("invalid_client"), "\(stranger.verdict)")
    try await register(client, id, server)
    #expect(try await signIn(id, server).verdict == "200")
  }
}
