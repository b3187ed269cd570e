import GatehouseServer
import GatehouseProtocol
import Logging
import Synchronization
import Testing

@Suite struct UserInfoTests {
  @Test func `an email that only userinfo has is fetched with the access token`() async throws {
    let provider = try Provider()
    provider.transport.on(
      Provider.userInfo, ["sub": "alice", "email": "a@example.com", "email_verified": true])
    let identity = try await provider.identity([:], accessToken: "at")
    #expect(identity.email?.address.text == "a@example.com")
    #expect(identity.email?.isVerified == true)
    #expect(identity.email?.isTrusted == false)
    let request = provider.transport.requests.first { $0.url.text == Provider.userInfo }
    #expect(request?.authorization?.reveal() == "Bearer at")
  }

  @Test func `the userinfo of another user is refused`() async throws {
    let provider = try Provider()
    provider.transport.on(Provider.userInfo, ["sub": "bob", "email": "b@example.com"])
    await #expect(throws: FederationError.otherSubject) {
      try await provider.identity([:], accessToken: "at")
    }
  }

  @Test(arguments: [(401, true), (400, true), (302, false), (403, false), (500, false)])
  func `if userinfo fails the email is absent, and an access token that it rejects is marked`(
    _ status: Int, _ isRefusal: Bool
  ) async throws {
    let provider = try Provider()
    provider.transport.on(Provider.userInfo, status: status, ["sub": "alice", "email": "a@b.cd"])
    let identity = try await provider.identity([:], accessToken: "at")
    #expect(identity.email == nil)
    #expect(identity.isAccessTokenRefused == isRefusal)
    #expect(identity.tokens.accessToken?.reveal() == (isRefusal ? nil : "at"))
  }

  @Test(arguments: [
    ("oidc.example", true, true, true), ("oidc.example", true, false, false),
    ("google.com", false, true, true), ("google.com", true, true, false),
    ("facebook.com", false, true, true), ("facebook.com", true, true, false),
    ("apple.com", true, true, false),
  ])
  func `a provider is asked about credentials that a client could invent`(
    _ id: String, _ hasIDToken: Bool, _ hasAccessToken: Bool, _ asks: Bool
  ) throws {
    let provider = try Provider()
    let configuration = ProviderConfiguration(
      id: try #require(ProviderID(id)), clientID: "c", trustEmail: .never)
    let credential = IdPCredential(
      idToken: hasIDToken ? Secret("t") : nil, accessToken: hasAccessToken ? Secret("t") : nil)
    #expect(
      provider.federation.asksProvider(about: credential, for: configuration) == asks)
  }

  @Test(arguments: [(32 * 1024, "a@example.com"), (32 * 1024 + 1, nil)] as [(Int, String?)])
  func `userinfo of more than 32 KiB is ignored`(_ bytes: Int, _ email: String?) async throws {
    let provider = try Provider()
    var claims: JSONObject = ["sub": "alice", "email": "a@example.com", "x": ""]
    claims["x"] = .string(String(repeating: "x", count: bytes - claims.serialized().count))
    provider.transport.on(Provider.userInfo, claims)
    #expect(try await provider.identity([:], accessToken: "at").email?.address.text == email)
  }

  @Test func `userinfo isn't called without need`() async throws {
    let provider = try Provider()
    _ = try await provider.identity(["email": "a@example.com"], accessToken: "at")
    _ = try await provider.identity([:])
    _ = try await provider.identity([:], accessToken: "at\r\nX-Evil: 1")
    #expect(provider.transport.count(Provider.userInfo) == 0)
  }

  @Test func `an email and its verification don't come from different sources`()
    async throws
  {
    let provider = try Provider()
    provider.transport.on(Provider.userInfo, ["sub": "alice", "email": "a@example.com"])
    let identity = try await provider.identity(["email_verified": true], accessToken: "at")
    #expect(identity.email == nil)
  }

  @Test(arguments: [.null, ""] as [JSONValue])
  func `claims that are null or empty in the ID token come from userinfo`(
    _ value: JSONValue
  ) async throws {
    let provider = try Provider()
    provider.transport.on(
      Provider.userInfo,
      ["sub": "alice", "email": "a@example.com", "email_verified": true, "name": "Ada"])
    var claims = provider.claims()
    for name in ["email", "email_verified", "name"] { claims[name] = value }
    let identity = try await provider.identity(
      try provider.key.token(claims), accessToken: "at")
    #expect(identity.email?.address.text == "a@example.com")
    #expect(identity.email?.isVerified == true)
    #expect(identity.profile.displayName == "Ada")
    // An address and the statement about it still have one source.
    claims["email_verified"] = true
    let mixed = try await provider.identity(try provider.key.token(claims), accessToken: "at")
    #expect(mixed.email == nil)
  }

  @Test(arguments: [.null, ""] as [JSONValue])
  func `members of the discovery document that are null or empty are absent`(
    _ value: JSONValue
  ) async throws {
    let provider = try Provider(discovery: [
      "userinfo_endpoint": value, "revocation_endpoint": value, "token_endpoint": value,
      "scopes_supported": value, "response_modes_supported": value,
      "authorization_response_iss_parameter_supported": value,
    ])
    #expect(try await provider.identity([:], accessToken: "at").subject.text == "alice")
  }

  // MARK: A signed response

  private func signed(
    _ claims: JSONObject, by key: TestKey? = nil, header: JSONObject = [:],
    logger: Logger? = nil
  ) async throws -> ExternalIdentity {
    var provider = try Provider()
    if let logger { provider = provider.logging(to: logger) }
    let token = try (key ?? provider.key).token(claims, header: header)
    provider.transport.on(Provider.userInfo, Array(token.utf8))
    return try await provider.identity([:], accessToken: "at")
  }

  private static let claims: JSONObject = [
    "iss": .string(Provider.issuer), "aud": "client-1", "sub": "alice", "email": "a@example.com",
  ]

  private static func changed(_ changes: JSONObject) -> JSONObject {
    var claims = claims
    for member in changes.members { claims[member.name] = member.value.isNull ? nil : member.value }
    return claims
  }

  @Test(arguments: [[:], ["iss": .null, "aud": .null], ["aud": ["client-1"]]] as [JSONObject])
  func `the claims of a signed response are used`(_ changes: JSONObject) async throws {
    let identity = try await signed(Self.changed(changes))
    #expect(identity.email?.address.text == "a@example.com")
  }

  @Test(
    arguments: [
      (["iss": "https://other.example.com"], "the token is of another issuer"),
      (["aud": "client-2"], "the token is for another audience: aud names none of our client ids"),
      (
        ["aud": ["client-1", "client-2"]],
        "aud names our client id, and also an audience that is not among the provider's trusted "
          + "audiences; azp is absent"
      ),
      (["exp": 1_700_000_000], "the token has expired, or the notification is too old"),
      (
        ["nonce": "n"],
        "the token or response is not of the expected form (type): The header's typ isn't accepted "
          + "for this kind of token."
      ),
      (
        ["at_hash": "h"],
        "the token or response is not of the expected form (type): The header's typ isn't accepted "
          + "for this kind of token."
      ),
      (
        ["events": [:]],
        "the token or response is not of the expected form (isNotification): The token is a "
          + "notification (it has events), not an ID token."
      ),
    ] as [(JSONObject, String)])
  func `a signed response that isn't for this client is not used, and the log says why`(
    _ changes: JSONObject, _ reason: String
  ) async throws {
    let log = Lines()
    let identity = try await signed(Self.changed(changes), logger: log.logger)
    #expect(identity.email == nil)
    #expect(log.reasons == [reason])
  }

  @Test func `a response with another signature is not used`() async throws {
    let log = Lines()
    let identity = try await signed(Self.claims, by: .p256("key-1"), logger: log.logger)
    #expect(identity.email == nil)
    #expect(
      log.reasons == [
        "the signature of the token can't be verified (signature): The signature doesn't verify with "
          + "the key."
      ])
  }

  @Test func `a signed response about another user is refused`() async throws {
    await #expect(throws: FederationError.otherSubject) {
      try await signed(Self.changed(["sub": "bob"]))
    }
  }

  @Test func `an encrypted response is named in the log`() async throws {
    let log = Lines()
    let provider = try Provider().logging(to: log.logger)
    provider.transport.on(Provider.userInfo, Array("eyJh.a2V5.aXY.dGV4dA.dGFn".utf8))
    #expect(try await provider.identity([:], accessToken: "at").email == nil)
    #expect(
      log.reasons == [
        "the response is encrypted: register the client at the provider without "
          + "userinfo_encrypted_response_alg"
      ])
  }

  @Test func `a signed response without the times of an ID token is no ID token`() async throws {
    let provider = try Provider()
    await #expect(throws: FederationError.unparsable(reason: "expiry")) {
      try await provider.identity(try provider.key.token(Self.claims))
    }
  }
}

/// The reasons in the log's lines.
private final class Lines: Sendable {
  private let lines = Mutex<[String]>([])

  var reasons: [String] { lines.withLock { $0 } }

  var logger: Logger { Logger(label: "test") { _ in Handler(lines: self) } }

  private struct Handler: LogHandler {
    let lines: Lines
    var metadata = Logger.Metadata()
    var logLevel = Logger.Level.warning

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      lines.lines.withLock { $0.append("\(event.metadata?["reason"] ?? "")") }
    }
  }
}
