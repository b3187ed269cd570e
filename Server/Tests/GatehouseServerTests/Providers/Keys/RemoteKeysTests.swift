import Foundation
import GatehouseServer
import GatehouseProtocol
import Synchronization
import Testing

@Suite struct RemoteKeysTests {
  @Test func `keys are fetched once and then come from memory`() async throws {
    let provider = try Provider()
    for _ in 0..<20 { _ = try await provider.identity([:]) }
    #expect(provider.transport.count(Provider.discovery) == 1)
    #expect(provider.transport.count(Provider.keys) == 1)
  }

  @Test func `a hundred first sign-ins share one fetch`() async throws {
    let provider = try Provider()
    let token = try provider.key.token(provider.claims())
    try await withThrowingTaskGroup { group in
      for _ in 0..<100 {
        group.addTask { _ = try await provider.identity(token) }
      }
      try await group.waitForAll()
    }
    #expect(provider.transport.count(Provider.keys) == 1)
  }

  @Test func `new keys are found by their kid`() async throws {
    let provider = try Provider()
    _ = try await provider.identity([:])
    let next = TestKey.p256("key-2")
    provider.transport.on(Provider.keys, try TestKey.set([provider.key, next]))
    _ = try await provider.identity(try next.token(provider.claims()))
    #expect(provider.transport.count(Provider.keys) == 2)
    #expect(provider.transport.count(Provider.discovery) == 1)
  }

  @Test func `a provider with one key without kid may change the key`() async throws {
    let first = TestKey.p256(nil)
    let provider = try Provider(keys: [first])
    _ = try await provider.identity(try first.token(provider.claims()))
    let next = TestKey.p256(nil)
    provider.transport.on(Provider.keys, try TestKey.set([next]))
    _ = try await provider.identity(try next.token(provider.claims()))
    #expect(provider.transport.count(Provider.keys) == 2)
  }

  @Test func `without kid and with two fitting keys the token is refused`() async throws {
    let provider = try Provider(keys: [.p256(nil), .p256("b")])
    await #expect(throws: FederationError.signature(reason: "keyIDRequired")) {
      try await provider.identity(try TestKey.p256(nil).token(provider.claims()))
    }
  }

  @Test func `a kid that two keys share is rejected`() async throws {
    let key = TestKey.p256("key-1")
    let provider = try Provider(keys: [key, .p256("key-1")])
    await #expect(throws: FederationError.signature(reason: "keyAmbiguous")) {
      try await provider.identity(try key.token(provider.claims()))
    }
  }

  @Test func `a thousand random kids cause one fetch, and valid tokens pass`() async throws {
    let provider = try Provider()
    _ = try await provider.identity([:])
    for number in 0..<1000 {
      let token = try provider.key.named("random-\(number)").token(provider.claims())
      await #expect(throws: FederationError.signature(reason: "keyUnknown")) {
        try await provider.identity(token)
      }
    }
    _ = try await provider.identity([:])
    #expect(provider.transport.count(Provider.keys) == 2)
  }

  @Test func `an unreachable provider is reported, and not asked again at once`()
    async throws
  {
    let provider = try Provider()
    provider.transport.on(Provider.discovery, status: 500, [])
    for _ in 0..<10 {
      await #expect(throws: FederationError.unreachable(.status(500, .discovery))) {
        try await provider.identity([:])
      }
    }
    #expect(provider.transport.count(Provider.discovery) == 1)
  }

  @Test func `keys are used past their expiry while the provider fails`() async throws {
    let provider = try Provider()
    _ = try await provider.identity([:])
    provider.transport.on(Provider.discovery, status: 503, [])
    let later = provider.now + 3601
    let token = try provider.key.token(
      provider.claims(["exp": .number(JSONNumber(1_800_090_000))]))
    _ = try await provider.identity(token, at: later)
    await #expect(throws: FederationError.unreachable(.status(503, .discovery))) {
      try await provider.identity(token, at: provider.now + 3600 + 86_400)
    }
  }

  @Test func `an unreachable issuer is reported before the token's faults`() async throws {
    let provider = try Provider()
    provider.transport.on(Provider.discovery) { _ throws(OutboundError) in
      throw .refusedAddress(host: "idp.example.com", address: "10.0.0.1")
    }
    let failure = RemoteKeyFailure.outbound(
      .refusedAddress(host: "idp.example.com", address: "10.0.0.1"))
    await #expect(throws: FederationError.unreachable(failure)) {
      try await provider.identity(["iss": "https://other.example.com"])
    }
  }

  @Test(arguments: ["https://idp.example.com/", "https://evil.example", "HTTPS://idp.example.com"])
  func `a discovery document of another issuer is rejected`(_ issuer: String) async throws {
    let provider = try Provider(discovery: ["issuer": .string(issuer)])
    let failure = RemoteKeyFailure.otherIssuer(received: issuer, expected: Provider.issuer)
    await #expect(throws: FederationError.unreachable(failure)) {
      try await provider.identity([:])
    }
  }

  @Test(arguments: ["jwks_uri", "token_endpoint", "userinfo_endpoint"])
  func `an endpoint without https is rejected`(_ name: String) async throws {
    let provider = try Provider(
      discovery: JSONObject([.init(name: name, value: "http://idp.example.com/x")]))
    await #expect(throws: FederationError.unreachable(.endpoint(name))) {
      try await provider.identity([:])
    }
  }

  @Test func `an issuer without https is refused without a request`() async throws {
    let provider = try Provider().configured { $0.issuer = "http://idp.example.com" }
    await #expect(throws: FederationError.unreachable(.issuerURL)) {
      try await provider.identity([:])
    }
    #expect(provider.transport.requests.isEmpty)
  }

  /// Of Oracle's tenants, for instance, none serves a document where the common issuer says.
  @Test func `a discovery document may be elsewhere, and must name exactly the issuer`()
    async throws
  {
    let url = "https://tenant.example.com/.well-known/openid-configuration?p=sign-in"
    let provider = try Provider(discovery: ["issuer": "https://other.example.com"]).configured {
      $0.discoveryURL = url
    }
    let document: JSONObject = [
      "issuer": .string(Provider.issuer), "jwks_uri": .string(Provider.keys),
    ]
    provider.transport.on(url, document)
    let identity = try await provider.identity([:])
    #expect(identity.issuer == Provider.issuer)
    #expect(provider.transport.count(Provider.discovery) == 0)

    let other = try Provider().configured { $0.discoveryURL = url }
    var otherDocument = document
    otherDocument["issuer"] = .string(Provider.issuer + "/")
    other.transport.on(url, otherDocument)
    let failure = RemoteKeyFailure.otherIssuer(
      received: Provider.issuer + "/", expected: Provider.issuer)
    await #expect(throws: FederationError.unreachable(failure)) { try await other.identity([:]) }
  }

  @Test func `a discovery URL without https is refused without a request`() async throws {
    let provider = try Provider().configured { $0.discoveryURL = "http://tenant.example.com/" }
    await #expect(throws: FederationError.unreachable(.discoveryURL)) {
      try await provider.identity([:])
    }
    #expect(provider.transport.requests.isEmpty)
  }

  @Test func `a project's keys of an issuer are not another project's`() async throws {
    let provider = try Provider()
    let url = "https://evil.example.com/document"
    let evil = TestKey.p256("key-1")
    provider.transport.on(
      url, ["issuer": .string(Provider.issuer), "jwks_uri": "https://evil.example.com/jwks"])
    provider.transport.on("https://evil.example.com/jwks", try TestKey.set([evil]))
    let (bad, good) = (ProjectID("bad-project"), ProjectID("good-project"))
    let ofBad = provider.configured {
      $0.project = bad
      $0.discoveryURL = url
    }
    let ofGood = provider.configured { $0.project = good }
    let forged = try evil.token(provider.claims())
    _ = try await ofBad.identity(forged)
    await #expect(throws: FederationError.signature(reason: "signature")) {
      try await ofGood.identity(forged)
    }
    // Also if both name the same place.
    provider.transport.on(Provider.discovery, status: 500, [])
    let another = provider.configured { $0.project = bad }
    await #expect(throws: FederationError.unreachable(.status(500, .discovery))) {
      try await another.identity([:])
    }
    _ = try await ofGood.identity([:])
  }

  @Test func `an OpenID Connect provider needs an issuer`() async throws {
    let provider = try Provider().configured { $0.issuer = nil }
    let id = provider.configuration.id
    await #expect(
      throws: FederationError.incompleteConfiguration(provider: id, setting: "issuer")
    ) { try await provider.identity([:]) }
  }

  @Test func `an empty key set doesn't replace the keys`() async throws {
    let provider = try Provider(keys: [])
    await #expect(throws: FederationError.unreachable(.noUsableKey(count: 0, refused: []))) {
      try await provider.identity([:])
    }
  }

  @Test(arguments: ["{}", "{\"keys\":null}", "{\"keys\":[]}"])
  func `a set without keys is reported, doesn't replace keys, and is asked for again`(
    _ text: String
  ) async throws {
    let none = FederationError.unreachable(.noUsableKey(count: 0, refused: []))
    let provider = try Provider()
    _ = try await provider.identity([:])
    provider.transport.on(Provider.keys, Array(text.utf8))
    let later = provider.now + 3601
    let token = try provider.key.token(
      provider.claims(["exp": .number(JSONNumber(1_800_090_000))]))
    _ = try await provider.identity(token, at: later)
    await #expect(throws: none) {
      try await provider.identity(token, at: provider.now + 3600 + 86_400)
    }

    let new = try Provider(keys: [])
    new.transport.on(Provider.keys, Array(text.utf8))
    for _ in 0..<10 {
      await #expect(throws: none) { try await new.identity([:]) }
    }
    #expect(new.transport.count(Provider.keys) == 2)
    new.transport.on(Provider.keys, try TestKey.set([new.key]))
    let inAMinute = new.now + 61
    _ = try await new.identity(try new.key.token(new.claims()), at: inAMinute)
  }

  @Test func `of keys that share a kid, the one of the token's algorithm verifies`() async throws {
    let rsa = try #require(TestKey.rsa)
    let key = TestKey.p256("key-1")
    let provider = try Provider(keys: [rsa.named("key-1"), key, key])
    _ = try await provider.identity(try key.token(provider.claims()))
    _ = try await provider.identity(try rsa.named("key-1").token(provider.claims()))
  }

  @Test func `a key of another kind under a known kid is found`() async throws {
    let provider = try Provider()
    _ = try await provider.identity([:])
    let rsa = try #require(TestKey.rsa).named("key-1")
    provider.transport.on(Provider.keys, try TestKey.set([provider.key, rsa]))
    _ = try await provider.identity(try rsa.token(provider.claims()))
    #expect(provider.transport.count(Provider.keys) == 2)
  }

  @Test func `the error about a malformed key names the key and its member`() async throws {
    let provider = try Provider()
    var jwk = try #require(try provider.key.jwk().object)
    jwk["y"] = "A+B"
    let set: JSONObject = ["keys": [.object(jwk)]]
    provider.transport.on(Provider.keys, set)
    let error = await #expect(throws: FederationError.self) { try await provider.identity([:]) }
    #expect(
      error?.description
        == "the provider publishes no key that can be used: key key-1: y is not base64url")
    let other = TestKey.p256("key-2")
    let both: JSONObject = ["keys": [.object(jwk), try other.jwk()]]
    provider.transport.on(Provider.keys, both)
    let later = provider.now + 61
    await #expect(
      throws: FederationError.signature(
        reason: "keyRefused", detail: "key key-1: y is not base64url")
    ) { try await provider.identity(try provider.key.token(provider.claims()), at: later) }
  }

  @Test func `keys are refreshed in the background before they expire`() async throws {
    let provider = try Provider()
    let token = try provider.key.token(
      provider.claims(["exp": .number(JSONNumber(1_800_010_000))]))
    _ = try await provider.identity(token)
    try await withThrowingTaskGroup { group in
      group.addTask { await provider.federation.run() }
      // The background task may begin at any time, and no caller waits for it: so look, at most
      // this often.
      for _ in 0..<100_000 where provider.transport.count(Provider.keys) < 2 {
        _ = try await provider.identity(token, at: provider.now + 3000)
        await Task.yield()
      }
      group.cancelAll()
    }
    #expect(provider.transport.count(Provider.keys) == 2)
    // Without the background task callers fetch themselves.
    _ = try await provider.identity(token, at: provider.now + 7000)
    #expect(provider.transport.count(Provider.keys) == 3)
  }

  @Test func `a project's discovery counts as its calls, and a vendor's keys as the server's`()
    async throws
  {
    let project = try #require(ProjectID("a-project"))
    let provider = try Provider().configured { $0.project = project }
    _ = try await provider.identity([:], accessToken: "at")
    var google = Provider.google()
    google.project = project
    _ = try await provider.identity(try provider.googleToken(), for: google)
    let requests = provider.transport.requests
    #expect(
      requests.map(\.url.text)
        == [Provider.discovery, Provider.keys, Provider.userInfo, Provider.googleKeys])
    #expect(requests.map(\.project) == [project, project, project, nil])
  }
}
