import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens
import Testing

/// Each rejected token differs from the accepted one in one thing.
@Suite struct IDTokenRefusalTests {
  @Test func `a valid token is accepted`() async throws {
    let provider = try Provider()
    let identity = try await provider.identity([:])
    #expect(identity.subject.text == "alice")
    #expect(identity.provider.text == "oidc.example")
    #expect(identity.use == .unlimited)
  }

  @Test(
    arguments: [
      ("{\"sub\":\"alice\"}", "segments"), ("", nil), ("a.b", "segments"), ("a.b.c.d", "segments"),
      ("e30.e30.!!!!", "base64URL"), ("e30.e30.AA==", "base64URL"), ("e30.e30.AAAA", "header"),
    ] as [(String, String?)])
  func `a text that isn't a token can't be parsed`(_ text: String, _ reason: String?) async throws {
    let provider = try Provider()
    let expected = reason.map { FederationError.unparsable(reason: $0) }
    await #expect(throws: expected ?? .missingIDToken(provider.configuration.id)) {
      try await provider.identity(text)
    }
  }

  @Test func `a token of a megabyte is refused`() async throws {
    let provider = try Provider()
    await #expect(throws: FederationError.unparsable(reason: "tooLong")) {
      try await provider.identity(String(repeating: "a", count: 1 << 20))
    }
  }

  @Test(arguments: ["none", "None", "nOnE", "HS256"])
  func `an algorithm that doesn't authenticate the issuer is refused`(_ name: String) async throws {
    let provider = try Provider()
    let token = try provider.key.token(
      provider.claims(), header: ["alg": .string(name)])
    await #expect(throws: FederationError.signature(reason: "algorithmUnsupported")) {
      try await provider.identity(token)
    }
  }

  @Test func `alg none without a signature is refused as a signature`() async throws {
    let provider = try Provider()
    let signed = try provider.key.token(provider.claims(), header: ["alg": "none"])
    let unsigned = signed.split(separator: ".").prefix(2).joined(separator: ".") + "."
    await #expect(throws: FederationError.signature(reason: "emptySignature")) {
      try await provider.identity(unsigned)
    }
  }

  @Test func `another key under the same kid is refused`() async throws {
    let provider = try Provider()
    let token = try TestKey.p256("key-1").token(provider.claims())
    await #expect(throws: FederationError.signature(reason: "signature")) {
      try await provider.identity(token)
    }
  }

  @Test func `a payload that was changed after signing is refused`() async throws {
    let provider = try Provider()
    var parts = try provider.key.token(provider.claims()).split(separator: ".").map(String.init)
    parts[1] = Base64URL.encode(provider.claims(["sub": "mallory"]).serialized())
    let token = parts.joined(separator: ".")
    await #expect(throws: FederationError.signature(reason: "signature")) {
      try await provider.identity(token)
    }
  }

  @Test func `an ES256 token against an RSA key with its kid is refused`() async throws {
    let rsa = try #require(TestKey.rsa)
    let provider = try Provider(keys: [rsa.named("key-1")])
    let token = try provider.key.token(provider.claims())
    await #expect(throws: FederationError.signature(reason: "keyAlgorithm")) {
      try await provider.identity(token)
    }
  }

  @Test(arguments: [
    "https://other.example.com", "https://idp.example.com/", "http://idp.example.com",
    "https://IDP.example.com",
  ])
  func `another issuer is refused, and the error contains both`(_ issuer: String) async throws {
    let provider = try Provider()
    await #expect(
      throws: FederationError.issuer(received: issuer, expected: Provider.issuer)
    ) { try await provider.identity(["iss": .string(issuer)]) }
  }

  @Test(arguments: ["client-other", "client-", "CLIENT-1", "client-1 "])
  func `another audience is refused, and the error contains both`(_ audience: String) async throws {
    let provider = try Provider()
    await #expect(
      throws: FederationError.audience(received: [audience], expected: "client-1")
    ) { try await provider.identity(["aud": .string(audience)]) }
  }

  @Test func `another audience is refused unless azp names us or the operator trusts it`()
    async throws
  {
    let provider = try Provider()
    let audiences: JSONValue = ["client-1", "stranger"]
    await #expect(
      throws: FederationError.untrustedAudience(
        received: ["client-1", "stranger"], expected: "client-1")
    ) { try await provider.identity(["aud": audiences]) }
    _ = try await provider.identity(["aud": audiences, "azp": "client-1"])
    let trusting = provider.configured { $0.trustedAudiences = ["stranger"] }
    _ = try await trusting.identity(["aud": audiences])
  }

  @Test func `a token for us that another client requested is refused, and the error contains azp`()
    async throws
  {
    let provider = try Provider()
    await #expect(
      throws: FederationError.authorizedParty(received: "client-ios", expected: "client-1")
    ) { try await provider.identity(["azp": "client-ios"]) }
    await #expect(throws: FederationError.authorizedParty(received: "", expected: "client-1")) {
      try await provider.identity(["azp": 5])
    }
    let naming = provider.configured { $0.additionalClientIDs = ["client-ios"] }
    _ = try await naming.identity(["azp": "client-ios"])
  }

  @Test func `each of several client ids is an audience`() async throws {
    var provider = try Provider()
    provider.configuration.additionalClientIDs = ["client-ios"]
    _ = try await provider.identity(["aud": ["client-ios"]])
  }

  @Test(arguments: [(3659, true), (3660, false)])
  func `a token expires, within the skew`(_ seconds: Int, _ isGood: Bool) async throws {
    let provider = try Provider()
    let token = try provider.key.token(provider.claims())
    let later = provider.now + Double(seconds)
    if isGood {
      _ = try await provider.identity(token, at: later)
    } else {
      await #expect(throws: FederationError.stale(issuedAt: "1800000000")) {
        try await provider.identity(token, at: later)
      }
    }
  }

  @Test(arguments: [(60, true), (61, false)])
  func `a token from the future is refused, within the skew`(
    _ seconds: Int64, _ isGood: Bool
  ) async throws {
    let provider = try Provider()
    let issuedAt = 1_800_000_000 + seconds
    let changes: JSONObject = ["iat": .number(JSONNumber(issuedAt))]
    if isGood {
      _ = try await provider.identity(changes)
    } else {
      await #expect(throws: FederationError.issuedInFuture(issuedAt: String(issuedAt))) {
        try await provider.identity(changes)
      }
    }
  }

  @Test func `a token with nbf in the future is from the future`() async throws {
    let provider = try Provider()
    await #expect(throws: FederationError.issuedInFuture(issuedAt: "1800000000")) {
      try await provider.identity(["nbf": .number(JSONNumber(1_800_000_061))])
    }
  }

  @Test(
    arguments: [.null, "1800003600", -1, .number(JSONNumber(1e30) ?? JSONNumber(0))] as [JSONValue])
  func `exp must be a time`(_ expiry: JSONValue) async throws {
    let provider = try Provider()
    await #expect(throws: FederationError.unparsable(reason: "expiry")) {
      try await provider.identity(["exp": expiry])
    }
  }

  @Test func `a token without sub is refused, and the error has its claims, sorted`() async throws {
    let provider = try Provider()
    let claims =
      #"{"aud":"client-1","exp":1800003600,"iat":1800000000,"iss":"https://idp.example.com"}"#
    await #expect(throws: FederationError.missingSubject(claims: claims)) {
      try await provider.identity(["sub": .null])
    }
  }

  @Test(arguments: ["", "a\u{0}b", String(repeating: "s", count: 256)])
  func `a subject must be 1 to 255 bytes without NUL`(_ subject: String) async throws {
    let provider = try Provider()
    let error = await #expect(throws: FederationError.self) {
      try await provider.identity(["sub": .string(subject)])
    }
    guard case .missingSubject = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `subjects that look alike are different subjects`() async throws {
    let provider = try Provider()
    let one = try await provider.identity(["sub": "caf\u{e9}"]).subject
    let other = try await provider.identity(["sub": "cafe\u{301}"]).subject
    #expect(one != other)
  }

  @Test func `a notification isn't an ID token`() async throws {
    let provider = try Provider()
    await #expect(throws: FederationError.unparsable(reason: "isNotification")) {
      try await provider.identity(["events": "{\"type\":\"account-delete\"}"])
    }
  }

  @Test func `an access token isn't an ID token`() async throws {
    let provider = try Provider()
    let token = try provider.key.token(provider.claims(), header: ["typ": "at+jwt"])
    await #expect(throws: FederationError.unparsable(reason: "type")) {
      try await provider.identity(token)
    }
  }

  @Test func `an access token alone isn't accepted`() async throws {
    let provider = try Provider()
    for configuration in [Provider.apple(), provider.configuration] {
      await #expect(throws: FederationError.accessTokenAlone(configuration.id)) {
        try await provider.federation.identity(
          from: IdPCredential(accessToken: Secret("at")), for: configuration, now: provider.now)
      }
    }
  }

  @Test func `a provider that isn't built in is unsupported`() async throws {
    let provider = try Provider()
    let id = try #require(ProviderID("twitter.com"))
    let other = ProviderConfiguration(id: id, clientID: "1", trustEmail: .never)
    await #expect(throws: FederationError.unsupportedProvider(id)) {
      try await provider.identity("a.b.c", for: other)
    }
  }

  @Test func `keys in the token's header are ignored and nothing is fetched for them`()
    async throws
  {
    let provider = try Provider()
    let mallory = TestKey.p256("key-1")
    let token = try mallory.token(
      provider.claims(),
      header: [
        "jku": "https://evil.example/keys", "x5u": "https://evil.example/x", "jwk": mallory.jwk(),
      ])
    await #expect(throws: FederationError.signature(reason: "signature")) {
      try await provider.identity(token)
    }
    #expect(provider.transport.requests.allSatisfy { $0.url.host == "idp.example.com" })
  }

  @Test func `descriptions contain nothing of the token`() {
    let errors: [FederationError] = [
      .issuer(received: "SECRET", expected: "SECRET"), .missingSubject(claims: "SECRET"),
      .audience(received: ["SECRET"], expected: "SECRET"), .stale(issuedAt: "SECRET"),
      .untrustedAudience(received: ["SECRET"], expected: "SECRET"),
      .authorizedParty(received: "SECRET", expected: "SECRET"),
      .issuedInFuture(issuedAt: "SECRET"),
      .nonceMismatch(received: "SECRET", raw: "SECRET", form: .sameText),
    ]
    for error in errors { #expect(!error.description.contains("SECRET")) }
  }
}
