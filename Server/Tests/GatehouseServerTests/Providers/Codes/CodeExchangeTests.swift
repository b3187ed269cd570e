import Crypto
import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens
import Testing

@Suite struct CodeExchangeTests {
  @Test(
    arguments: [
      (nil, nil, false), (nil, ["client_secret_basic", "client_secret_post"], false),
      (nil, ["client_secret_post"], true), (.body, nil, true),
      (.body, ["client_secret_basic"], true), (.header, ["client_secret_post"], false),
    ] as [(SecretPlace?, [String]?, Bool)])
  func `the secret is sent as configured, else as discovery says`(
    _ place: SecretPlace?, _ methods: [String]?, _ inBody: Bool
  ) async throws {
    var discovery: JSONObject = [:]
    if let methods {
      discovery["token_endpoint_auth_methods_supported"] = .array(methods.map { .string($0) })
    }
    let provider = try Provider(discovery: discovery).configured {
      $0.clientSecret = Secret("s")
      $0.secretPlace = place
    }
    provider.transport.on(Provider.token, ["access_token": "a"])
    _ = try await provider.federation.exchangeAuthorizationCode(
      Secret("c"), for: provider.configuration, now: provider.now)
    let request = try #require(
      provider.transport.requests.first { $0.url.text == Provider.token })
    #expect((request.authorization == nil) == inBody)
    #expect(
      provider.transport.fields("client_secret", at: Provider.token) == [inBody ? "s" : nil])
  }

  @Test func `Apple's code is exchanged for tokens and an identity`() async throws {
    let provider = try Provider()
    let idToken = try provider.appleToken(["nonce": "anything"])
    provider.transport.on(
      Provider.appleToken,
      ["access_token": "a", "refresh_token": "r", "id_token": .string(idToken)])
    let exchange = try await self.exchange(provider, Provider.apple())
    #expect(exchange.tokens.refreshToken?.reveal() == "r")
    #expect(exchange.identity?.subject.text == "alice")
    #expect(exchange.identity?.use == .unlimited)
    #expect(exchange.clientID == "com.example.app")
    #expect(
      provider.transport.fields("grant_type", at: Provider.appleToken) == ["authorization_code"])
    #expect(provider.transport.fields("code", at: Provider.appleToken) == ["c0de"])
  }

  @Test func `Apple's client secret is for the client, and valid for five minutes`() async throws {
    let provider = try Provider()
    let key = P256.Signing.PrivateKey()
    provider.transport.on(Provider.appleToken, ["access_token": "a"])
    _ = try await exchange(provider, Provider.apple(privateKey: key.pemRepresentation))
    let secret = try #require(
      provider.transport.fields("client_secret", at: Provider.appleToken).first ?? nil)
    let parts = secret.split(separator: ".").map(String.init)
    let header = try JSONObject(parsing: try #require(Base64URL.decode(parts[0])))
    let claims = try JSONObject(parsing: try #require(Base64URL.decode(parts[1])))
    #expect(header == ["alg": "ES256", "kid": "KEY1234567"])
    #expect(claims["iss"] == "TEAM123456")
    #expect(claims["sub"] == "com.example.app")
    #expect(claims["aud"] == "https://appleid.apple.com")
    #expect(claims["iat"]?.int64 == 1_800_000_000)
    #expect(claims["exp"]?.int64 == 1_800_000_300)
    let signature = try P256.Signing.ECDSASignature(
      rawRepresentation: try #require(Base64URL.decode(parts[2])))
    #expect(key.publicKey.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8)))
  }

  @Test func `a code of a web page is exchanged as the Services ID`() async throws {
    let provider = try Provider()
    provider.transport.on(Provider.appleToken, ["access_token": "a"])
    let exchange = try await provider.federation.exchangeAuthorizationCode(
      Secret("c0de"), redirectURI: "https://app.example.com/cb", for: Provider.apple(),
      now: provider.now)
    #expect(exchange.clientID == "com.example.web")
  }

  @Test func `a code of another client of ours is exchanged as that client`() async throws {
    let provider = try Provider()
    provider.transport.on(Provider.appleToken) { request throws(OutboundError) in
      let client = request.form?.first { $0.name == "client_id" }?.value.reveal()
      let isRight = client == "com.example.web"
      let body: JSONObject = isRight ? ["access_token": "a"] : ["error": "invalid_grant"]
      return OutboundResponse(status: isRight ? 200 : 400, body: body.serialized())
    }
    #expect(try await exchange(provider, Provider.apple()).clientID == "com.example.web")
  }

  @Test func `a wrong secret isn't tried again`() async throws {
    let provider = try Provider()
    provider.transport.on(Provider.appleToken, status: 400, ["error": "invalid_client"])
    await #expect(
      throws: FederationError.refusedByProvider(status: 400, error: "invalid_client")
    ) { try await exchange(provider, Provider.apple()) }
    #expect(provider.transport.count(Provider.appleToken) == 1)
  }

  enum Fault: CaseIterable {
    case noServicesID, noTeamID, emptyKeyID, noPrivateKey, otherPrivateKey

    var setting: String {
      switch self {
      case .noServicesID: "clientId"
      case .noTeamID: "appleSignInConfig.codeFlowConfig.teamId"
      case .emptyKeyID: "appleSignInConfig.codeFlowConfig.keyId"
      case .noPrivateKey, .otherPrivateKey: "appleSignInConfig.codeFlowConfig.privateKey"
      }
    }

    var configuration: ProviderConfiguration {
      var configuration = Provider.apple()
      switch self {
      case .noServicesID: configuration.clientID = ""
      case .noTeamID: configuration.apple?.teamID = nil
      case .emptyKeyID: configuration.apple?.keyID = ""
      case .noPrivateKey: configuration.apple?.privateKey = nil
      case .otherPrivateKey: configuration.apple?.privateKey = Secret("no key")
      }
      return configuration
    }
  }

  @Test(arguments: Fault.allCases)
  func `a missing setting is named, and Apple isn't called`(_ fault: Fault) async throws {
    let provider = try Provider()
    let configuration = fault.configuration
    let expected = FederationError.incompleteConfiguration(provider: .apple, setting: fault.setting)
    await #expect(throws: expected) {
      try await exchange(provider, configuration)
    }
    await #expect(throws: expected) {
      try await provider.federation.revoke(
        Secret("r"), kind: .refresh, for: configuration, now: provider.now)
    }
    #expect(provider.transport.requests.isEmpty)
  }

  @Test func `revoking names every client, and the kind of token`() async throws {
    let provider = try Provider()
    provider.transport.on(Provider.appleRevoke, [])
    try await provider.federation.revoke(
      Secret("r"), kind: .refresh, for: Provider.apple(), now: provider.now)
    let url = Provider.appleRevoke
    #expect(
      provider.transport.fields("client_id", at: url) == ["com.example.app", "com.example.web"])
    #expect(provider.transport.fields("token", at: url) == ["r", "r"])
    #expect(
      provider.transport.fields("token_type_hint", at: url) == ["refresh_token", "refresh_token"])
  }

  @Test func `revoking names the Services ID, however many apps there are`() async throws {
    let provider = try Provider()
    provider.transport.on(Provider.appleRevoke, [])
    var configuration = Provider.apple()
    configuration.appBundleIDs = (1...20).map { "com.example.app\($0)" }
    try await provider.federation.revoke(
      Secret("r"), kind: .refresh, for: configuration, now: provider.now)
    let named = provider.transport.fields("client_id", at: Provider.appleRevoke)
    #expect(named.count == 8)
    #expect(named.last == "com.example.web")
  }

  @Test func `revoking as one client names only that client`() async throws {
    let provider = try Provider()
    provider.transport.on(Provider.appleRevoke, [])
    try await provider.federation.revoke(
      Secret("a"), kind: .access, clientID: "com.example.app", for: Provider.apple(),
      now: provider.now)
    #expect(
      provider.transport.fields("client_id", at: Provider.appleRevoke) == ["com.example.app"])
  }

  @Test func `a revocation fails if every client's request fails`() async throws {
    let provider = try Provider()
    provider.transport.on(Provider.appleRevoke, status: 400, ["error": "invalid_request"])
    await #expect(
      throws: FederationError.refusedByProvider(status: 400, error: "invalid_request")
    ) {
      try await provider.federation.revoke(
        Secret("r"), kind: .refresh, for: Provider.apple(), now: provider.now)
    }
  }

  @Test func `an OpenID Connect code goes to the discovered endpoint, with PKCE and Basic`()
    async throws
  {
    var provider = try Provider()
    provider.configuration.clientSecret = Secret("s:%")
    let idToken = try provider.key.token(provider.claims())
    provider.transport.on(Provider.token, ["access_token": "a", "id_token": .string(idToken)])
    let exchange = try await provider.federation.exchangeAuthorizationCode(
      Secret("c0de"), redirectURI: "https://app.example.com/cb", codeVerifier: "v",
      for: provider.configuration, now: provider.now)
    #expect(exchange.identity?.subject.text == "alice")
    let request = try #require(
      provider.transport.requests.first { $0.url.text == Provider.token })
    let basic = "Basic " + Data("client-1:s%3A%25".utf8).base64EncodedString()
    #expect(request.authorization?.reveal() == basic)
    #expect(provider.transport.fields("code_verifier", at: Provider.token) == ["v"])
    #expect(provider.transport.fields("client_secret", at: Provider.token) == [nil])
  }

  @Test func `an exchange whose ID token is for another client is refused`() async throws {
    let provider = try Provider().configured { $0.additionalClientIDs = ["client-2"] }
    let idToken = try provider.key.token(provider.claims(["aud": "client-2"]))
    provider.transport.on(Provider.token, ["access_token": "a", "id_token": .string(idToken)])
    await #expect(
      throws: FederationError.audience(received: ["client-2"], expected: "client-1")
    ) { try await exchange(provider, provider.configuration) }
  }

  private func exchange(
    _ provider: Provider, _ configuration: ProviderConfiguration
  ) async throws -> CodeExchange {
    try await provider.federation.exchangeAuthorizationCode(
      Secret("c0de"), for: configuration, now: provider.now)
  }
}
