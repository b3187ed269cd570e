import GatehouseFederation
import GatehouseJSON
import GatehouseModel
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
}
