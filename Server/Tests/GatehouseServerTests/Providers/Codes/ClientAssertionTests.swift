import Crypto
import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens
import Testing

/// `private_key_jwt`.
@Suite struct ClientAssertionTests {
  private static let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
  private let key = P256.Signing.PrivateKey()

  private func provider(
    _ audience: AssertionAudience = .issuer, discovery: JSONObject = [:]
  ) throws -> Provider {
    let provider = try Provider(discovery: discovery).configured {
      $0.clientKey = ClientKey(
        privateKey: Secret(key.pemRepresentation), keyID: "key-7", audience: audience)
    }
    provider.transport.on(Provider.token, ["access_token": "a"])
    provider.transport.on(Provider.revoke, [:])
    return provider
  }

  private func exchange(_ provider: Provider) async throws -> CodeExchange {
    try await provider.federation.exchangeAuthorizationCode(
      Secret("c0de"), for: provider.configuration, now: provider.now)
  }

  private struct Assertion {
    let header: JSONObject
    let claims: JSONObject

    /// Verified only with the crypto library.
    init(_ text: String?, _ key: P256.Signing.PrivateKey) throws {
      let parts = try #require(text).split(separator: ".").map(String.init)
      header = try JSONObject(parsing: try #require(Base64URL.decode(parts[0])))
      claims = try JSONObject(parsing: try #require(Base64URL.decode(parts[1])))
      let signature = try P256.Signing.ECDSASignature(
        rawRepresentation: try #require(Base64URL.decode(parts[2])))
      #expect(key.publicKey.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8)))
    }
  }

  private func assertion(_ provider: Provider, at url: String) throws -> Assertion {
    try Assertion(provider.transport.fields("client_assertion", at: url).last ?? nil, key)
  }

  @Test func `an assertion has the right claims, a new jti, and a minute to live`() async throws {
    let provider = try provider()
    _ = try await exchange(provider)
    let url = Provider.token
    #expect(provider.transport.fields("client_assertion_type", at: url) == [Self.type])
    #expect(provider.transport.fields("client_id", at: url) == ["client-1"])
    #expect(provider.transport.fields("client_secret", at: url) == [nil])
    #expect(provider.transport.requests.allSatisfy { $0.authorization == nil })
    let assertion = try assertion(provider, at: url)
    #expect(
      assertion.header == ["alg": "ES256", "kid": "key-7", "typ": "client-authentication+jwt"])
    #expect(assertion.claims["iss"] == "client-1")
    #expect(assertion.claims["sub"] == "client-1")
    #expect(assertion.claims["aud"] == .string(Provider.issuer))
    #expect(assertion.claims["iat"]?.int64 == 1_800_000_000)
    #expect(assertion.claims["exp"]?.int64 == 1_800_000_060)
    #expect(assertion.claims["jti"]?.string?.utf8.count == 22)
    #expect(assertion.claims.members.count == 6)

    _ = try await exchange(provider)
    #expect(try self.assertion(provider, at: url).claims["jti"] != assertion.claims["jti"])
  }

  @Test func `the token endpoint is the audience if it is configured, and only in requests to it`()
    async throws
  {
    let provider = try provider(.tokenEndpoint)
    _ = try await exchange(provider)
    try await provider.federation.revoke(
      Secret("r"), kind: .refresh, for: provider.configuration, now: provider.now)
    let exchanged = try assertion(provider, at: Provider.token)
    #expect(exchanged.header["typ"] == "JWT")
    #expect(exchanged.claims["aud"] == .string(Provider.token))
    #expect(try assertion(provider, at: Provider.revoke).claims["aud"] == .string(Provider.issuer))
  }

  @Test(arguments: AssertionAudience.allCases)
  func `a provider's document can't obtain an assertion that is valid at another endpoint`(
    _ audience: AssertionAudience
  ) async throws {
    // CVE-2025-27370: it names the honest provider's token endpoint, and a revocation endpoint of its
    // own to which the assertion would come.
    let honest = "https://honest.example.com/token"
    let provider = try provider(audience, discovery: ["token_endpoint": .string(honest)])
    try await provider.federation.revoke(
      Secret("r"), kind: .refresh, for: provider.configuration, now: provider.now)
    #expect(try assertion(provider, at: Provider.revoke).claims["aud"] == .string(Provider.issuer))
  }

  @Test(
    arguments: [
      (ClientKey(privateKey: Secret("no key")), "clientKey.privateKey"),
      (
        ClientKey(
          privateKey: Secret(P256.Signing.PrivateKey().pemRepresentation), algorithm: "RS256"),
        "clientKey.algorithm"
      ),
      (
        ClientKey(
          privateKey: Secret(P256.Signing.PrivateKey().pemRepresentation), algorithm: "none"),
        "clientKey.algorithm"
      ),
    ])
  func `without a valid key the provider isn't called`(
    _ key: ClientKey, _ setting: String
  ) async throws {
    let provider = try provider().configured { $0.clientKey = key }
    await #expect(
      throws: FederationError.incompleteConfiguration(
        provider: provider.configuration.id, setting: setting)
    ) { try await exchange(provider) }
    #expect(provider.transport.count(Provider.token) == 0)
  }

  // MARK: Secrets

  @Test(
    arguments: [
      (nil, true), (["client_secret_basic", "client_secret_post"], true),
      (["client_secret_post"], false), (["client_secret_post", "private_key_jwt"], false),
      (["private_key_jwt"], false), (["none"], false), (["client_secret_basic"], true),
    ] as [([String]?, Bool)])
  func `a secret is sent as the provider says, and in the header if it says nothing`(
    _ methods: [String]?, _ inHeader: Bool
  ) async throws {
    let discovery: JSONObject =
      methods.map {
        ["token_endpoint_auth_methods_supported": .array($0.map { .string($0) })]
      } ?? [:]
    let provider = try Provider(discovery: discovery).configured {
      $0.clientSecret = Secret("s3cret")
    }
    provider.transport.on(Provider.token, ["access_token": "a"])
    _ = try await exchange(provider)
    let request = try #require(provider.transport.requests.last)
    let inBody = methods?.contains("client_secret_post") == true && !inHeader
    #expect((request.authorization == nil) == inBody)
    #expect(
      provider.transport.fields("client_secret", at: Provider.token) == [inBody ? "s3cret" : nil])
  }

  @Test func `id and secret are form-encoded before they are joined`() async throws {
    // The characters of RFC 6749, appendix B, and those that would end the id or the pair.
    let provider = try Provider().configured {
      $0.clientID = "our app:1"
      $0.clientSecret = Secret(" %&+£€:é")
    }
    provider.transport.on(Provider.token, ["access_token": "a"])
    _ = try await exchange(provider)
    let header = try #require(provider.transport.requests.last?.authorization?.reveal())
    let pair = String(
      decoding: try #require(Data(base64Encoded: String(header.dropFirst(6)))), as: UTF8.self)
    #expect(pair == "our%20app%3A1:%20%25%26%2B%C2%A3%E2%82%AC%3A%C3%A9")
  }
}
