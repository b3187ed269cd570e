import Crypto
import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens
import Testing

/// Identities from a browser; the OpenID Foundation's relying-party tests by their names, as far as
/// the code flow has them.
@Suite struct BrowserIdentityTests {
  private static let code = "c0de"

  private func identity(
    _ claims: JSONObject, discovery: JSONObject = [:], accessToken: String = "a",
    userInfo: JSONObject? = nil, issuer: String? = nil
  ) async throws -> (ExternalIdentity, Provider) {
    let provider = try Provider(discovery: discovery).configured {
      $0.clientSecret = Secret("client-secret")
      $0.additionalClientIDs = ["client-2"]
    }
    var all: JSONObject = ["nonce": .string(Provider.sha256Hex(BrowserAnswer.nonce))]
    for member in claims.members { all[member.name] = member.value }
    provider.transport.on(
      Provider.token,
      [
        "access_token": .string(accessToken), "refresh_token": "r",
        "id_token": .string(try provider.key.token(provider.claims(all))),
      ])
    if let userInfo { provider.transport.on(Provider.userInfo, userInfo) }
    let proof = try BrowserAnswer.of(.code(Secret(Self.code)), issuer: issuer)
    let identity = try await provider.federation.identity(
      from: proof, for: provider.configuration, now: provider.now)
    return (identity, provider)
  }

  /// The left half of a SHA-256, as in `at_hash` and `c_hash`.
  private static func half(_ text: String) -> JSONValue {
    let hex = Provider.sha256Hex(text).prefix(32)
    let bytes = stride(from: 0, to: 32, by: 2).compactMap { index -> UInt8? in
      let start = hex.index(hex.startIndex, offsetBy: index)
      return UInt8(hex[start..<hex.index(start, offsetBy: 2)], radix: 16)
    }
    return .string(Base64URL.encode(bytes))
  }

  @Test func `rp-response_type-code: the code becomes an identity, once and for its client`()
    async throws
  {
    let (identity, provider) = try await identity([:])
    #expect(identity.subject.text == "alice")
    #expect(identity.use != .unlimited)
    #expect(identity.tokens.refreshToken?.reveal() == "r")
    #expect(identity.tokens.idToken != nil)
    #expect(provider.transport.fields("code", at: Provider.token) == [Self.code])
    #expect(
      provider.transport.fields("code_verifier", at: Provider.token)
        == [BrowserSignIn.tests?.codeVerifier])
    #expect(
      provider.transport.fields("redirect_uri", at: Provider.token)
        == ["https://auth.example.com/cb"])
  }

  @Test func `rp-nonce-invalid`() async throws {
    await #expect(
      throws: FederationError.nonceMismatch(
        received: "another", raw: BrowserAnswer.nonce, form: .other)
    ) { try await identity(["nonce": "another"]) }
    await #expect(throws: FederationError.nonceMissingInToken) {
      try await identity(["nonce": .null])
    }
  }

  @Test func `rp-id_token-aud: that of another client of ours is refused`() async throws {
    await #expect(
      throws: FederationError.audience(received: ["client-2"], expected: "client-1")
    ) { try await identity(["aud": "client-2"]) }
  }

  @Test func `rp-id_token-issuer-mismatch`() async throws {
    await #expect(
      throws: FederationError.issuer(
        received: "https://evil.example.com", expected: Provider.issuer)
    ) { try await identity(["iss": "https://evil.example.com"]) }
  }

  @Test func `rp-id_token-bad-at_hash, rp-id_token-bad-c_hash`() async throws {
    _ = try await identity(["at_hash": Self.half("a"), "c_hash": Self.half(Self.code)])
    await #expect(throws: FederationError.otherToken) {
      try await identity(["at_hash": Self.half("b")])
    }
    await #expect(throws: FederationError.otherToken) {
      try await identity(["c_hash": Self.half("b")])
    }
  }

  @Test func `rp-userinfo-bad-sub-claim`() async throws {
    let (told, _) = try await identity(
      [:], userInfo: ["sub": "alice", "email": "a@example.com", "name": "Ada"])
    #expect(told.email?.address.text == "a@example.com")
    #expect(told.profile.displayName == "Ada")
    await #expect(throws: FederationError.otherSubject) {
      try await identity([:], userInfo: ["sub": "bob", "email": "b@example.com"])
    }
  }

  @Test func `the code in a response of another issuer isn't sent`() async throws {
    let provider = try Provider()
    let proof = try BrowserAnswer.of(.code(Secret("c")), issuer: "https://evil.example.com")
    await #expect(
      throws: FederationError.answerOfOtherIssuer(
        received: "https://evil.example.com", expected: Provider.issuer)
    ) {
      try await provider.federation.identity(
        from: proof, for: provider.configuration, now: provider.now)
    }
    #expect(provider.transport.count(Provider.token) == 0)
  }

  @Test func `a code is sent only when the keys for its ID token are there`() async throws {
    let provider = try Provider()
    let token = try provider.appleToken([
      "aud": "com.example.web", "nonce": .string(Provider.sha256Hex(BrowserAnswer.nonce)),
    ])
    provider.transport.on(Provider.appleToken, ["id_token": .string(token)])
    provider.transport.on(Provider.appleKeys, status: 503, [])
    let proof = try BrowserAnswer.of(.code(Secret("c")))
    let configuration = Provider.apple()
    await #expect(throws: FederationError.unreachable(.status(503, .keys))) {
      try await provider.federation.requireKeys(
        for: proof, of: configuration, now: provider.now)
    }
    await #expect(throws: FederationError.unreachable(.status(503, .keys))) {
      try await provider.federation.identity(from: proof, for: configuration, now: provider.now)
    }
    #expect(provider.transport.count(Provider.appleToken) == 0)

    provider.transport.on(Provider.appleKeys, try TestKey.set([try #require(TestKey.rsa)]))
    let identity = try await provider.federation.identity(
      from: proof, for: configuration, now: provider.now + 31)
    #expect(identity.subject.text == "alice")
    #expect(provider.transport.count(Provider.appleToken) == 1)
  }

  @Test func `a code of Facebook needs no keys, an ID token in the response does`() async throws {
    let facebook = try FacebookStub()
    facebook.provider.transport.on(FacebookStub.keys, status: 503, [])
    let proof = try BrowserAnswer.of(.code(Secret("c")))
    try await facebook.provider.federation.requireKeys(
      for: proof, of: FacebookStub.configuration, now: facebook.provider.now)
    #expect(facebook.provider.transport.requests.isEmpty)
    let withToken = try BrowserAnswer.of(.idToken(Secret("t")))
    await #expect(throws: FederationError.unreachable(.status(503, .keys))) {
      try await facebook.provider.federation.requireKeys(
        for: withToken, of: FacebookStub.configuration, now: facebook.provider.now)
    }
  }

  @Test func `an ID token through the browser needs the nonce and our audience`() async throws {
    let provider = try Provider()
    let nonce = JSONValue.string(Provider.sha256Hex(BrowserAnswer.nonce))
    let proof = { (claims: JSONObject) throws in
      try BrowserAnswer.of(.idToken(Secret(try provider.key.token(provider.claims(claims)))))
    }
    let identity = try await provider.federation.identity(
      from: try proof(["nonce": nonce]), for: provider.configuration, now: provider.now)
    #expect(identity.subject.text == "alice")
    let without = try proof([:])
    await #expect(throws: FederationError.nonceMissingInToken) {
      try await provider.federation.identity(
        from: without, for: provider.configuration, now: provider.now)
    }
  }

  @Test func `Facebook's response doesn't say how the user authenticated`() async throws {
    let facebook = try FacebookStub()
    facebook.provider.transport.on(
      "https://graph.facebook.com/oauth/access_token",
      ["access_token": .string(FacebookStub.accessToken)])
    let proof = try BrowserAnswer.of(.code(Secret("c")))
    let identity = { (proof: BrowserAnswer) async throws in
      try await facebook.provider.federation.identity(
        from: proof, for: FacebookStub.configuration, now: facebook.provider.now)
    }
    #expect(try await identity(proof).subject.text == FacebookStub.userID)
    var demand = AuthenticationDemand()
    demand.maximumAgeSeconds = 60
    let asking = try BrowserAnswer.of(.code(Secret("c")), to: .make(demand: demand))
    await #expect(throws: FederationError.authenticationTooOld(maximumSeconds: 60)) {
      try await identity(asking)
    }
  }

  @Test func `a token without nonce support is refused in a browser`() async throws {
    let provider = try Provider()
    let token = try provider.appleToken([
      "aud": "com.example.web", "nonce_supported": false,
    ])
    provider.transport.on(Provider.appleToken, ["id_token": .string(token)])
    let proof = try BrowserAnswer.of(.code(Secret("c")))
    await #expect(throws: FederationError.nonceMissingInToken) {
      try await provider.federation.identity(
        from: proof, for: Provider.apple(), now: provider.now)
    }
  }

  // MARK: Tokens that are signed with the client's secret

  private static let secret = "0123456789abcdef0123456789abcdef"

  /// A provider whose token endpoint returns a token that is signed with `secret`.
  private func signing(
    with secret: String = secret, keys: [TestKey]? = nil,
    _ change: (inout ProviderConfiguration) -> Void = { _ in }
  ) throws -> (Provider, token: String) {
    let provider = try Provider(
      discovery: ["authorization_endpoint": "https://idp.example.com/authorize"], keys: keys
    ).configured {
      $0.clientSecret = Secret(Self.secret)
      $0.responseType.code = true
      change(&$0)
    }
    let token = try TestKey.secret(secret).token(
      provider.claims(["nonce": .string(Provider.sha256Hex(BrowserAnswer.nonce))]))
    provider.transport.on(Provider.token, ["access_token": "a", "id_token": .string(token)])
    return (provider, token)
  }

  private func redeem(
    _ proof: BrowserAnswer.Proof, _ provider: Provider,
    _ configuration: ProviderConfiguration? = nil
  ) async throws -> ExternalIdentity {
    let proof = try BrowserAnswer.of(proof)
    let configuration = configuration ?? provider.configuration
    try await provider.federation.requireKeys(for: proof, of: configuration, now: provider.now)
    return try await provider.federation.identity(
      from: proof, for: configuration, now: provider.now)
  }

  @Test func `the token endpoint may sign with the client's secret, an app or a browser may not`()
    async throws
  {
    let (provider, token) = try signing()
    provider.transport.on(Provider.userInfo, ["sub": "alice", "email": "a@example.com"])
    let identity = try await redeem(.code(Secret("c")), provider)
    #expect(identity.subject.text == "alice")
    #expect(identity.use != .unlimited)
    #expect(identity.email?.address.text == "a@example.com")
    #expect(identity.tokens.idToken?.reveal() == token)
    let exchange = try await provider.federation.exchangeAuthorizationCode(
      Secret("c"), for: provider.configuration, now: provider.now)
    #expect(exchange.identity?.subject.text == "alice")

    let refused = FederationError.signature(reason: "algorithmUnsupported")
    await #expect(throws: refused) {
      try await provider.identity(token, nonce: BrowserAnswer.nonce)
    }
    await #expect(throws: refused) { try await redeem(.idToken(Secret(token)), provider) }
    let plain = try TestKey.secret(Self.secret).token(provider.claims())
    await #expect(throws: refused) { try await provider.identity(plain) }
    #expect(refused.description.contains("from its token endpoint, with a client secret"))
  }

  @Test func `the secret is that of the client whose code it is, and nothing else`() async throws {
    let (other, _) = try signing(with: "fedcba9876543210fedcba9876543210")
    await #expect(throws: FederationError.signature(reason: "signature")) {
      try await redeem(.code(Secret("c")), other)
    }
    let key = TestKey.p256("key-1")
    let published = try #require(try key.jwk()["x"]?.string)
    let (confused, _) = try signing(with: published, keys: [key])
    await #expect(throws: FederationError.signature(reason: "signature")) {
      try await redeem(.code(Secret("c")), confused)
    }
    let (several, _) = try signing {
      $0.clients = [
        ProviderClient(
          clientID: "client-2", secret: Secret("fedcba9876543210fedcba9876543210"), bundleIDs: [])
      ]
    }
    let second = try #require(several.configuration.used(byClient: "client-2"))
    await #expect(throws: FederationError.signature(reason: "signature")) {
      try await redeem(.code(Secret("c")), several, second)
    }
  }

  @Test func `without a secret, and from a vendor, a symmetric signature is refused`() async throws
  {
    let refused = FederationError.signature(reason: "algorithmUnsupported")
    let (provider, token) = try signing {
      $0.clientSecret = nil
      $0.isPublicClient = true
    }
    await #expect(throws: refused) { try await redeem(.code(Secret("c")), provider) }
    let (withKey, _) = try signing {
      $0.clientSecret = nil
      $0.clientKey = ClientKey(privateKey: Secret(P256.Signing.PrivateKey().pemRepresentation))
    }
    await #expect(throws: refused) { try await redeem(.code(Secret("c")), withKey) }
    var google = Provider.google()
    google.clientSecret = Secret(Self.secret)
    provider.transport.on("https://oauth2.googleapis.com/token", ["id_token": .string(token)])
    let configured = google
    await #expect(throws: refused) { try await redeem(.code(Secret("c")), provider, configured) }
  }

  @Test func `a secret that is too short for HS256 has its own error`() async throws {
    let short = String(Self.secret.dropLast())
    let (provider, _) = try signing(with: short) { $0.clientSecret = Secret(short) }
    let error = FederationError.signature(reason: "secretTooShort")
    await #expect(throws: error) { try await redeem(.code(Secret("c")), provider) }
    #expect(error.isOperatorsConcern)
    // Without keys there is no other signature, so the code isn't sent.
    let (without, _) = try signing(with: short, keys: []) { $0.clientSecret = Secret(short) }
    await #expect(throws: error) { try await redeem(.code(Secret("c")), without) }
    #expect(without.transport.count(Provider.token) == 0)
  }

  @Test func `a provider without keys signs users in by the code flow only`() async throws {
    let (provider, token) = try signing(keys: [])
    let plan = try await provider.federation.authorizationPlan(
      for: provider.configuration, now: provider.now)
    #expect(plan.response == .code)
    #expect(try await redeem(.code(Secret("c")), provider).subject.text == "alice")
    let none = FederationError.unreachable(.noUsableKey(count: 0, refused: []))
    await #expect(throws: none) { try await provider.identity([:]) }
    await #expect(throws: none) { try await redeem(.idToken(Secret(token)), provider) }
    let refused = FederationError.signature(reason: "algorithmUnsupported")
    await #expect(throws: refused) {
      try await provider.identity(token, nonce: BrowserAnswer.nonce)
    }
    #expect(refused.description.hasSuffix("give the provider a signing key"))
    let implicit = provider.configured { $0.responseType = .init(code: false, idToken: true) }
    await #expect(throws: none) {
      try await implicit.federation.authorizationPlan(
        for: implicit.configuration, now: implicit.now)
    }
    #expect(none.description.contains("the provider publishes no keys"))
  }

  @Test(arguments: [.null, ""] as [JSONValue])
  func `members of the token endpoint's response that are null or empty are absent`(
    _ value: JSONValue
  ) async throws {
    let (provider, token) = try signing()
    provider.transport.on(
      Provider.token,
      [
        "error": value, "access_token": value, "refresh_token": value, "id_token": .string(token),
      ])
    let identity = try await redeem(.code(Secret("c")), provider)
    #expect(identity.subject.text == "alice")
    #expect(identity.tokens.accessToken == nil)
    provider.transport.on(
      Provider.token, ["error": "invalid_grant", "access_token": value, "id_token": .string(token)])
    await #expect(
      throws: FederationError.refusedByProvider(status: 200, error: "invalid_grant")
    ) { try await redeem(.code(Secret("c")), provider) }
  }
}
