import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens
import Testing

@Suite struct IDTokenNonceTests {
  private let hashed = JSONValue.string(Provider.sha256Hex("raw-nonce"))

  @Test func `the token's nonce is the hash of the request's, and the token is used once`()
    async throws
  {
    let provider = try Provider()
    let identity = try await provider.identity(["nonce": hashed], nonce: "raw-nonce")
    guard case .once(let token, let nonce) = identity.use else {
      Issue.record("\(identity.use)")
      return
    }
    for record in [token, nonce] {
      #expect(record.digest.count == 32)
      // An hour, the skew, and a minute for another server's clock.
      #expect(record.expiresAt == provider.now + 3720)
    }
    #expect(token != nonce)
  }

  @Test func `a token with another signature is the same token`() async throws {
    let provider = try Provider()
    // ECDSA signatures are random: the claims are equal, the signatures are not.
    let one = try await provider.identity(["nonce": hashed], nonce: "raw-nonce")
    let other = try await provider.identity(["nonce": hashed], nonce: "raw-nonce")
    #expect(one.tokens.idToken?.reveal() != other.tokens.idToken?.reveal())
    #expect(one.use == other.use)
  }

  @Test func `a nonce is remembered for its provider and subject, not for the token`()
    async throws
  {
    let provider = try Provider()
    let use = { (changes: JSONObject) async throws in
      var changes = changes
      changes["nonce"] = hashed
      return try await provider.identity(changes, nonce: "raw-nonce").use.nonce
    }
    let first = try #require(try await use([:]))
    #expect(try await use(["iat": 1_799_999_999]) == first)
    #expect(try await use(["sub": "bob"])?.digest != first.digest)
    let other = provider.configured { $0.id = ProviderID("oidc.other") ?? $0.id }
    let elsewhere = try await other.identity(["nonce": hashed], nonce: "raw-nonce").use.nonce
    #expect(elsewhere?.digest != first.digest)
  }

  @Test(arguments: [nil, ""])
  func `a nonce only in the token is refused`(_ raw: String?) async throws {
    let provider = try Provider()
    await #expect(throws: FederationError.nonceMissingInRequest) {
      try await provider.identity(["nonce": hashed], nonce: raw)
    }
  }

  @Test func `a nonce only in the request is refused`() async throws {
    let provider = try Provider()
    await #expect(throws: FederationError.nonceMissingInToken) {
      try await provider.identity([:], nonce: "raw-nonce")
    }
  }

  @Test(arguments: [.null, ""] as [JSONValue])
  func `a nonce that is null or empty is none, and one that was asked for stays required`(
    _ value: JSONValue
  ) async throws {
    let provider = try Provider()
    var claims = provider.claims()
    for name in ["nonce", "at_hash", "c_hash", "azp", "nbf"] { claims[name] = value }
    let token = try provider.key.token(claims, header: ["typ": value])
    #expect(try await provider.identity(token, accessToken: "at").use == .unlimited)
    await #expect(throws: FederationError.nonceMissingInToken) {
      try await provider.identity(token, nonce: "raw-nonce")
    }
    let strict = provider.configured { $0.requiresNonce = true }
    await #expect(throws: FederationError.nonceMissingInRequest) {
      try await strict.identity(token)
    }
  }

  @Test func `another nonce is refused, and the error contains both`() async throws {
    let provider = try Provider()
    let expected = FederationError.nonceMismatch(
      received: Provider.sha256Hex("raw-nonce"), raw: "other", form: .other)
    await #expect(throws: expected) {
      try await provider.identity(["nonce": hashed], nonce: "other")
    }
  }

  @Test func `the raw nonce in the token is refused with its own error`() async throws {
    let provider = try Provider()
    await #expect(
      throws: FederationError.nonceMismatch(received: "raw", raw: "raw", form: .sameText)
    ) { try await provider.identity(["nonce": "raw"], nonce: "raw") }
  }

  @Test func `the hash instead of the raw nonce is refused with its own error`() async throws {
    let provider = try Provider()
    let hash = Provider.sha256Hex("raw-nonce")
    await #expect(
      throws: FederationError.nonceMismatch(received: hash, raw: hash, form: .sameText)
    ) { try await provider.identity(["nonce": hashed], nonce: hash) }
  }

  @Test func `the hash in another form is another nonce, and the error names the form`()
    async throws
  {
    let provider = try Provider()
    let digest = try #require(Hexadecimal.bytes(Provider.sha256Hex("raw-nonce")))
    let base64 = Data(digest).base64EncodedString()
    let forms: [(String, NonceForm)] = [
      (Provider.sha256Hex("raw-nonce").uppercased(), .upperCase), (base64, .base64),
      (Base64URL.encode(digest), .base64), (Provider.sha256Hex("another").uppercased(), .other),
    ]
    for (received, form) in forms {
      await #expect(
        throws: FederationError.nonceMismatch(received: received, raw: "raw-nonce", form: form)
      ) { try await provider.identity(["nonce": .string(received)], nonce: "raw-nonce") }
    }
  }

  @Test(arguments: [(256, true), (257, false)])
  func `a raw nonce is at most 256 bytes`(_ bytes: Int, _ isGood: Bool) async throws {
    let provider = try Provider()
    let raw = String(repeating: "n", count: bytes)
    let changes: JSONObject = ["nonce": .string(Provider.sha256Hex(raw))]
    if isGood {
      _ = try await provider.identity(changes, nonce: raw)
    } else {
      await #expect(throws: FederationError.nonceLength(bytes: 257)) {
        try await provider.identity(changes, nonce: raw)
      }
    }
  }

  @Test func `a token without a nonce is refused if a nonce is required`()
    async throws
  {
    let provider = try Provider()
    _ = try await provider.identity([:])
    let token = try provider.key.token(provider.claims())
    let strict = provider.configured { $0.requiresNonce = true }
    await #expect(throws: FederationError.nonceMissingInRequest) {
      try await strict.identity(token)
    }
  }

  @Test(arguments: [(172_800, true), (172_801, false)] as [(Int64, Bool)])
  func `a token with a nonce may be valid for at most 48 hours`(
    _ seconds: Int64, _ isGood: Bool
  ) async throws {
    let provider = try Provider()
    let expiry = JSONValue.number(JSONNumber(1_800_000_000 + seconds))
    _ = try await provider.identity(["exp": expiry])
    if isGood {
      _ = try await provider.identity(["exp": expiry, "nonce": hashed], nonce: "raw-nonce")
    } else {
      await #expect(
        throws: FederationError.nonceTokenLivesTooLong(seconds: 172_801, maximum: 172_800)
      ) { try await provider.identity(["exp": expiry, "nonce": hashed], nonce: "raw-nonce") }
    }
  }

  @Test(arguments: [false, "false"] as [JSONValue])
  func `Apple's token may lack the nonce if it says that nonces aren't supported`(
    _ supported: JSONValue
  ) async throws {
    let provider = try Provider()
    let token = try provider.appleToken(["nonce_supported": supported])
    let identity = try await provider.identity(token, nonce: "raw", for: Provider.apple())
    #expect(identity.use == .unlimited)
  }

  @Test(arguments: [.null, true, "true"] as [JSONValue])
  func `Apple's token may not lack the nonce otherwise`(_ supported: JSONValue) async throws {
    let provider = try Provider()
    let token = try provider.appleToken(["nonce_supported": supported])
    await #expect(throws: FederationError.nonceMissingInToken) {
      try await provider.identity(token, nonce: "raw", for: Provider.apple())
    }
  }

  @Test func `the exception is only for Apple`() async throws {
    let provider = try Provider()
    await #expect(throws: FederationError.nonceMissingInToken) {
      try await provider.identity(["nonce_supported": false], nonce: "raw")
    }
  }
}

extension ProofUse {
  fileprivate var nonce: SingleUseToken? {
    if case .once(_, let nonce) = self { nonce } else { nil }
  }
}
