import Crypto
import Foundation
import Testing

extension RelyingPartyTests {
  /// Registers the client for `method`; the provider rejects other methods. The discovery document
  /// lists the methods `offered`.
  private func party(_ method: String, offered: [String]) async throws -> RelyingParty {
    try await RelyingParty.make(
      faults: [
        "setDiscovery": [
          "token_endpoint_auth_methods_supported": .array(offered.map(JSON.string))
        ]
      ],
      client: ["token_endpoint_auth_method": .string(method)])
  }

  private static let refused =
    "400 INVALID_IDP_RESPONSE : The provider refused the request: 401 invalid_client"

  @Test func `rp-token_endpoint-client_secret_basic`() async throws {
    let method = "client_secret_basic"
    #expect(try await party(method, offered: [method]).signIn().verdict == "200")
    // This method is used, too, if the provider offers both, and if discovery names none.
    #expect(
      try await party(method, offered: ["client_secret_post", method]).signIn().verdict == "200")
    let silent = try await RelyingParty.make(
      faults: ["omitDiscovery": ["token_endpoint_auth_methods_supported"]],
      client: ["token_endpoint_auth_method": .string(method)])
    #expect(try await silent.signIn().verdict == "200")
  }

  @Test func `rp-token_endpoint-client_secret_post`() async throws {
    let method = "client_secret_post"
    #expect(try await party(method, offered: [method]).signIn().verdict == "200")
    #expect(
      try await party(method, offered: ["client_secret_basic"]).signIn().verdict == Self.refused)
  }

  // MARK: private_key_jwt

  /// A party with a key at the server. The provider has the public key that the server publishes,
  /// or `key`.
  private func partyWithKey(
    faults: JSON = [:], knows key: P256.Signing.PrivateKey? = nil
  ) async throws -> RelyingParty {
    let own = P256.Signing.PrivateKey()
    let party = try await RelyingParty.make(
      faults: faults, client: ["client_secret": .null],
      configuration: [
        "clientSecret": .null, "clientKey": ["privateKey": .string(own.pemRepresentation)],
      ])
    let published = try await HTTP.get(
      "\(party.server.baseURL)/__/auth/keys/demo/\(party.providerID)")
    try #require(published.status == 200)
    try await party.server.providers.put(
      "clients",
      [
        "provider": .string("oidc/" + party.name), "client_id": "client-1",
        "token_endpoint_auth_method": "private_key_jwt",
        "jwks": key.map(Self.keySet) ?? published.json,
      ])
    return party
  }

  private static func keySet(_ key: P256.Signing.PrivateKey) -> JSON {
    let point = key.publicKey.rawRepresentation
    func text(_ bytes: Data) -> JSON {
      .string(
        bytes.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
          .replacing("=", with: ""))
    }
    return [
      "keys": [
        ["kty": "EC", "crv": "P-256", "x": text(point.prefix(32)), "y": text(point.suffix(32))]
      ]
    ]
  }

  @Test func `rp-token_endpoint-private_key_jwt`() async throws {
    let party = try await partyWithKey()
    #expect(try await party.signIn().verdict == "200")
    // The provider accepts an assertion once, so the second sign-in shows that the server sends
    // another.
    #expect(try await party.signIn().verdict == "200")
    let stranger = try await partyWithKey(knows: P256.Signing.PrivateKey())
    #expect(try await stranger.signIn().verdict == Self.refused)
  }

  /// A malicious provider lists an honest provider's token endpoint as its own: the honest provider
  /// must reject the assertion that is sent there.
  @Test func `an assertion for one provider is rejected by another`() async throws {
    let honest = try await partyWithKey()
    let harmful = try await partyWithKey(
      faults: ["setDiscovery": ["token_endpoint": .string(honest.issuer + "/token")]])
    // The same key is registered with both.
    let published = try await HTTP.get(
      "\(harmful.server.baseURL)/__/auth/keys/demo/\(harmful.providerID)")
    try await honest.server.providers.put(
      "clients",
      [
        "provider": .string("oidc/" + honest.name), "client_id": "client-1",
        "jwks": published.json,
      ])
    #expect(try await harmful.signIn().verdict == Self.refused)
    #expect(try await honest.requests("token") == 1)
  }
}
