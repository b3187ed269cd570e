import GatehouseServer
import GatehouseProtocol
import Testing

/// Claims with other names than in OpenID Connect.
@Suite struct ClaimMappingTests {
  private func identity(
    _ claims: JSONObject, _ paths: [ClaimMapping.Field: String], trust: EmailTrust = .always,
    userInfo: JSONObject? = nil
  ) async throws -> ExternalIdentity {
    var mapping = ClaimMapping()
    for (field, text) in paths {
      let path = try #require(ClaimPath(text))
      mapping[field] = path
    }
    let provider = try Provider().configured {
      $0.claimMapping = mapping
      $0.trustEmail = trust
    }
    if let userInfo { provider.transport.on(Provider.userInfo, userInfo) }
    return try await provider.identity(claims, accessToken: userInfo == nil ? nil : "access")
  }

  @Test func `each part comes from the claim that the operator configured`() async throws {
    let claims: JSONObject = [
      "upn": "ada@example.com", "https://example.com/verified": true,
      "profile": ["name": ["full": "Ada L"], "photo": "https://example.com/a.png"],
      "email": "other@example.com", "name": "Other",
    ]
    let identity = try await identity(
      claims,
      [
        .email: "upn", .emailVerified: "https://example.com/verified", .name: "/profile/name/full",
        .picture: "/profile/photo",
      ])
    #expect(identity.email?.address.text == "ada@example.com")
    #expect(identity.email?.isVerified == true)
    #expect(identity.email?.isTrusted == true)
    #expect(identity.profile.displayName == "Ada L")
    #expect(identity.profile.photoURL == "https://example.com/a.png")
    // Complete, and as it was received.
    let raw = try JSONObject(parsing: identity.rawUserInfo)
    #expect(raw["email"] == "other@example.com")
    #expect(raw["profile"] == claims["profile"])
  }

  @Test func `the subject is always sub`() async throws {
    let identity = try await identity(["oid": "0000-1"], [.name: "oid"])
    #expect(identity.subject.text == "alice")
  }

  @Test(arguments: [EmailTrust.never, .authoritative])
  func `no mapping makes an untrusted provider trusted`(_ trust: EmailTrust) async throws {
    let identity = try await identity(
      ["upn": "victim@example.com", "verified": true],
      [.email: "upn", .emailVerified: "verified"], trust: trust)
    #expect(identity.email?.isVerified == true)
    #expect(identity.email?.isTrusted == false)
  }

  @Test func `email_verified is only about email`() async throws {
    let claims: JSONObject = [
      "email": "verified@example.com", "email_verified": true, "upn": "victim@example.com",
    ]
    let mapped = try await identity(claims, [.email: "upn"])
    #expect(mapped.email?.address.text == "victim@example.com")
    #expect(mapped.email?.isVerified == false)
    let standard = try await identity(claims, [.email: "email"])
    #expect(standard.email?.isVerified == true)
    let pointed = try await identity(claims, [.email: "upn", .emailVerified: "email_verified"])
    #expect(pointed.email?.isVerified == true)
  }

  @Test(arguments: ["false", "true", 1, 0, .null, "1", ["true"], [:]] as [JSONValue])
  func `only true states that an email was verified`(_ value: JSONValue) async throws {
    let identity = try await identity(
      ["email": "a@example.com", "verified": value], [.emailVerified: "verified"])
    #expect(identity.email?.isVerified == false)
  }

  @Test(
    arguments: [
      .null, 1, true, ["a@example.com"], ["mail": "a@example.com"], "no address", "javascript:x",
    ] as [JSONValue])
  func `a claim of another type or form is ignored`(_ value: JSONValue) async throws {
    let identity = try await identity(
      [
        "claim": value, "email": "a@example.com", "name": "Ada", "picture": "https://example.com/a",
      ],
      [.email: "claim", .picture: "claim"])
    #expect(identity.email == nil)
    #expect(identity.profile.photoURL == nil)
    #expect(identity.profile.displayName == "Ada")
  }

  @Test(arguments: ["/mail/0", "/deep/missing", "/upn/x", "missing"])
  func `a path that doesn't exist gives no value`(_ path: String) async throws {
    let identity = try await identity(
      ["mail": ["a@example.com"], "upn": "a@example.com", "deep": [:]], [.email: path])
    #expect(identity.email == nil)
  }

  @Test func `a name from a mapped claim has the usual limit`() async throws {
    let long = String(repeating: "n", count: 1000)
    let identity = try await identity(["nick": .string("\u{202E}\(long)")], [.name: "nick"])
    #expect(identity.profile.displayName?.count == PlainText.maximumNameCharacters)
  }

  // MARK: The userinfo endpoint

  @Test func `the userinfo endpoint is called if the mapped claim isn't in the token`()
    async throws
  {
    let identity = try await identity(
      ["email": "token@example.com"], [.email: "upn", .emailVerified: "verified"],
      userInfo: ["sub": "alice", "upn": "ada@example.com", "verified": true])
    #expect(identity.email?.address.text == "ada@example.com")
    #expect(identity.email?.isVerified == true)
  }

  @Test func `an email isn't verified by a claim from another source`() async throws {
    // The token says that an email is verified, but the email comes from userinfo.
    let identity = try await identity(
      ["verified": true], [.email: "upn", .emailVerified: "verified"],
      userInfo: ["sub": "alice", "upn": "victim@example.com"])
    #expect(identity.email == nil)
  }
}
