import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens
import Testing

@Suite struct MicrosoftProviderTests {
  private static let clientID = "6731de76-14a6-49ae-97bc-6eba6914391e"
  private static let tenant = "72f988bf-86f1-41af-91ab-2d7cd011db47"
  private static let otherTenant = "0b3f5c1e-9f5a-4c65-8c35-0f6b3d3f5a11"
  private static let personal = "9188040d-6c67-4c5b-b112-36a304b66dad"
  private static let keys = "https://login.microsoftonline.com/common/discovery/v2.0/keys"
  private static let template = "https://login.microsoftonline.com/{tenantid}/v2.0"

  private static func issuer(_ tenant: String) -> String {
    "https://login.microsoftonline.com/\(tenant)/v2.0"
  }

  private static func configuration(tenant: String? = nil) -> ProviderConfiguration {
    var configuration = ProviderConfiguration(
      id: .microsoft, clientID: clientID, trustEmail: .never)
    configuration.isEnabled = true
    configuration.issuer = tenant.map { issuer($0) }
    configuration.clientSecret = Secret("a-secret")
    return configuration
  }

  /// Signs in with a token of a tenant; a change to null removes the claim.
  private func signIn(
    tenant: String = tenant, _ changes: JSONObject = [:], keyIssuer: String? = template,
    for configuration: ProviderConfiguration = configuration()
  ) async throws -> ExternalIdentity {
    let provider = try Provider()
    let key = try #require(TestKey.rsa)
    // Microsoft's keys have no `alg`, and name the issuer of their tokens.
    var jwk = try #require(try key.jwk().object)
    jwk["alg"] = nil
    jwk["issuer"] = keyIssuer.map { .string($0) }
    provider.transport.on(Self.keys, ["keys": .array([.object(jwk)])])
    var claims: JSONObject = [
      "iss": .string(Self.issuer(tenant)), "tid": .string(tenant),
      "aud": .string(Self.clientID), "sub": "AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ",
      "oid": "b1e2f3a4-0000-4000-8000-1234567890ab", "name": "Ada Lovelace",
      "preferred_username": "ada@contoso.example.com", "email": "Ada@Contoso.example.com",
      "ver": "2.0",
    ]
    for member in changes.members { claims[member.name] = member.value }
    let token = try key.token(provider.claims(claims))
    return try await provider.identity(token, for: configuration)
  }

  private func expectRefusal(
    received: String, expected: String, _ body: () async throws -> ExternalIdentity
  ) async {
    await #expect(throws: FederationError.issuer(received: received, expected: expected)) {
      try await body()
    }
  }

  @Test func `with common a token of any tenant signs in, and each tenant is an issuer`()
    async throws
  {
    for tenant in [Self.tenant, Self.otherTenant, Self.personal] {
      let identity = try await signIn(tenant: tenant)
      #expect(identity.subject.text == "AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ")
      #expect(identity.issuer == Self.issuer(tenant))
      #expect(identity.profile.displayName == "Ada Lovelace")
    }
  }

  @Test func `a token of another tenant than the configured one is rejected`() async throws {
    let one = Self.configuration(tenant: Self.tenant)
    _ = try await signIn(for: one)
    await expectRefusal(
      received: Self.issuer(Self.otherTenant), expected: Self.issuer(Self.tenant)
    ) { try await signIn(tenant: Self.otherTenant, for: one) }
  }

  @Test func `organizations refuses personal accounts, consumers all others`() async throws {
    let organizations = Self.configuration(tenant: "organizations")
    _ = try await signIn(for: organizations)
    await expectRefusal(received: Self.issuer(Self.personal), expected: Self.template) {
      try await signIn(tenant: Self.personal, for: organizations)
    }
    let consumers = Self.configuration(tenant: "consumers")
    _ = try await signIn(tenant: Self.personal, for: consumers)
    await expectRefusal(
      received: Self.issuer(Self.tenant), expected: Self.issuer(Self.personal)
    ) { try await signIn(for: consumers) }
  }

  @Test(
    arguments: [
      ("common", nil), ("organizations", nil),
      ("consumers", "9188040d-6c67-4c5b-b112-36a304b66dad"),
      ("72f988bf-86f1-41af-91ab-2d7cd011db47", "72f988bf-86f1-41af-91ab-2d7cd011db47"),
      ("72F988BF-86F1-41AF-91AB-2D7CD011DB47", "72f988bf-86f1-41af-91ab-2d7cd011db47"),
    ] as [(String, String?)])
  func `the configuration determines the issuer of the tokens of one tenant`(
    name: String, tenant: String?
  ) async throws {
    let configuration = Self.configuration(tenant: name)
    #expect(configuration.tokenIssuer == tenant.map { Self.issuer($0) })
    let identity = try await signIn(tenant: tenant ?? Self.tenant, for: configuration)
    #expect(identity.issuer == Self.issuer(tenant ?? Self.tenant))
  }

  @Test func `an issuer whose tenant isn't tid is refused`() async throws {
    await expectRefusal(received: Self.issuer(Self.otherTenant), expected: Self.template) {
      try await signIn(["iss": .string(Self.issuer(Self.otherTenant))])
    }
  }

  @Test(arguments: [
    "https://login.microsoftonline.com/72F988BF-86F1-41AF-91AB-2D7CD011DB47/v2.0",
    "https://login.microsoftonline.com/72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0/",
    "https://login.microsoftonline.com/{tenantid}/v2.0",
    "https://login.example.com/72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0",
    "https://sts.windows.net/72f988bf-86f1-41af-91ab-2d7cd011db47/",
  ])
  func `an issuer of another form is rejected`(issuer: String) async throws {
    await expectRefusal(received: issuer, expected: Self.template) {
      try await signIn(["iss": .string(issuer)])
    }
  }

  @Test(arguments: [nil, "common", "72F988BF-86F1-41AF-91AB-2D7CD011DB47", "a/../b", "{tenantid}"])
  func `a tid that isn't a tenant's id is refused`(tenant: String?) async throws {
    let issuer = Self.issuer(tenant ?? Self.tenant)
    await expectRefusal(received: issuer, expected: Self.template) {
      try await signIn(["tid": tenant.map { .string($0) } ?? .null, "iss": .string(issuer)])
    }
  }

  @Test func `a token that is signed by another tenant's key is refused`() async throws {
    _ = try await signIn(keyIssuer: Self.issuer(Self.tenant))
    _ = try await signIn(keyIssuer: nil)
    await expectRefusal(received: Self.issuer(Self.tenant), expected: Self.template) {
      try await signIn(keyIssuer: Self.issuer(Self.otherTenant))
    }
  }

  @Test(arguments: EmailTrust.allCases)
  func `an email is never trusted, whatever the token and the configuration say`(
    trust: EmailTrust
  ) async throws {
    var configuration = Self.configuration()
    configuration.trustEmail = trust
    let identity = try await signIn(
      ["email_verified": true, "xms_edov": true], for: configuration)
    let email = try #require(identity.email)
    #expect(email.address.text == "ada@contoso.example.com")
    #expect(!email.isVerified && !email.isTrusted)
  }

  @Test func `the request and the code go to the tenant's endpoints`() async throws {
    let provider = try Provider()
    let key = try #require(TestKey.rsa).jwk()
    for (tenant, name) in [(nil, "common"), (Self.tenant, Self.tenant)] {
      let configuration = Self.configuration(tenant: tenant)
      let plan = try await provider.federation.authorizationPlan(
        for: configuration, now: provider.now)
      let url = plan.url(
        AuthorizationRequest(
          redirectURI: "https://auth.example.com/cb", state: "s", rawNonce: "raw",
          codeVerifier: "verifier"))
      let base = "https://login.microsoftonline.com/\(name)/oauth2/v2.0"
      #expect(url.hasPrefix("\(base)/authorize?response_type=code&"))
      #expect(url.contains("&nonce=") && url.contains("&code_challenge="))
      provider.transport.on(
        "https://login.microsoftonline.com/\(name)/discovery/v2.0/keys", ["keys": .array([key])])
      provider.transport.on("\(base)/token", status: 400, ["error": "invalid_grant"])
      await #expect(
        throws: FederationError.refusedByProvider(status: 400, error: "invalid_grant")
      ) {
        try await provider.federation.exchangeAuthorizationCode(
          Secret("c0de"), for: configuration, now: provider.now)
      }
    }
  }

  @Test func `there is no revocation endpoint`() async throws {
    let provider = try Provider()
    await #expect(
      throws: FederationError.incompleteConfiguration(
        provider: .microsoft, setting: "revocation_endpoint")
    ) {
      try await provider.federation.revoke(
        Secret("t"), kind: .refresh, for: Self.configuration(), now: provider.now)
    }
  }

  @Test func `an operator can't configure that emails are trusted`() {
    var configuration = Self.configuration()
    configuration.trustEmail = .always
    #expect(
      ProviderConfigurationRules.faults(in: configuration, allowsPlainHTTP: false)
        == [.emailTrust("administrators of any tenant choose their users' addresses")])
  }

  @Test
  func `an operator can't configure that refresh tokens are kept, which nothing could revoke`() {
    var configuration = Self.configuration()
    configuration.keepsRefreshToken = false
    #expect(ProviderConfigurationRules.faults(in: configuration, allowsPlainHTTP: false).isEmpty)
    configuration.keepsRefreshToken = true
    #expect(
      ProviderConfigurationRules.faults(in: configuration, allowsPlainHTTP: false)
        == [.keptTokens("Microsoft has no endpoint that revokes tokens")])
  }

  @Test(arguments: [
    "https://login.microsoftonline.com/contoso.example.com/v2.0",
    "https://login.example.com/common/v2.0", "common",
  ])
  func `an issuer without a tenant is a fault of the configuration`(issuer: String) {
    var configuration = Self.configuration()
    configuration.issuer = issuer
    #expect(
      ProviderConfigurationRules.faults(in: configuration, allowsPlainHTTP: false)
        == [.tenantForm])
  }
}
