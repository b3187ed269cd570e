import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct AuthorizationPlanTests {
  private static let authorize = "https://idp.example.com/authorize"
  private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

  private func plan(
    _ discovery: JSONObject = [:], _ change: (inout ProviderConfiguration) -> Void = { _ in }
  ) async throws -> AuthorizationPlan {
    var document: JSONObject = ["authorization_endpoint": .string(Self.authorize)]
    for member in discovery.members {
      document[member.name] = member.value.isNull ? nil : member.value
    }
    let provider = try Provider(discovery: document).configured { configuration in
      configuration.clientSecret = Secret("s")
      change(&configuration)
    }
    return try await provider.federation.authorizationPlan(
      for: provider.configuration, now: provider.now)
  }

  private func asked(
    _ plan: AuthorizationPlan, _ change: (inout AuthorizationRequest) -> Void = { _ in }
  ) -> [String: String] {
    var request = AuthorizationRequest(
      redirectURI: "https://auth.example.com/__/auth/handler", state: "s t&a", rawNonce: "raw",
      codeVerifier: Self.verifier)
    change(&request)
    let items = URLComponents(string: plan.url(request))?.queryItems ?? []
    #expect(Set(items.map(\.name)).count == items.count)
    return Dictionary(
      items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { first, _ in first })
  }

  @Test func `the challenge is the one in RFC 7636, appendix B`() async throws {
    let asked = asked(try await plan())
    #expect(asked["code_challenge"] == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    #expect(asked["code_challenge_method"] == "S256")
    #expect(asked["nonce"] == Provider.sha256Hex("raw"))
    #expect(asked["state"] == "s t&a")
    #expect(asked["response_type"] == "code")
    #expect(asked["client_id"] == "client-1")
    #expect(asked["redirect_uri"] == "https://auth.example.com/__/auth/handler")
  }

  @Test(
    arguments: [
      (false, false, "code"), (true, false, "code"), (false, true, "id_token"),
    ])
  func `the configured flow is used, and by default the code flow if there is a secret`(
    _ code: Bool, _ idToken: Bool, _ expected: String
  ) async throws {
    let plan = try await plan {
      $0.responseType = .init(code: code, idToken: idToken)
    }
    #expect(asked(plan)["response_type"] == expected)
    #expect((asked(plan)["code_challenge"] != nil) == (expected == "code"))
  }

  @Test(
    arguments: [
      ([:], true), (["code_challenge_methods_supported": ["plain", "S256"]], true),
      (["code_challenge_methods_supported": ["plain"]], false),
    ] as [(JSONObject, Bool)])
  func `a challenge is sent unless the provider's document excludes it`(
    _ discovery: JSONObject, _ hasChallenge: Bool
  ) async throws {
    let plan = try await plan(discovery)
    #expect(plan.usesPKCE == hasChallenge)
    #expect((asked(plan)["code_challenge"] != nil) == hasChallenge)
  }

  @Test func `a public client needs PKCE`() async throws {
    let change = { @Sendable (configuration: inout ProviderConfiguration) in
      configuration.clientSecret = nil
      configuration.isPublicClient = true
    }
    #expect(try await plan([:], change).usesPKCE)
    await #expect(
      throws: FederationError.incompleteConfiguration(
        provider: try Provider.openIDConnect().id, setting: "code_challenge_methods_supported")
    ) { try await plan(["code_challenge_methods_supported": ["plain"]], change) }
  }

  @Test(
    arguments: [
      (["scopes_supported": ["profile", "email"]], "openid email profile x"),
      (["scopes_supported": ["openid", "email"]], "openid email x"),
      (["scopes_supported": ["openid"]], "openid x"),
    ] as [(JSONObject, String)])
  func `email and profile are requested if the provider offers them`(
    _ discovery: JSONObject, _ scope: String
  ) async throws {
    #expect(asked(try await plan(discovery)) { $0.scopes = ["x", "openid"] }["scope"] == scope)
  }

  @Test(
    arguments: [
      ([], "openid email profile"), (["account_email", "openid"], "openid account_email"),
    ] as [([String], String)])
  func `where the provider names no scopes, an app's own list replaces email and profile`(
    _ scopes: [String], _ scope: String
  ) async throws {
    #expect(asked(try await plan()) { $0.scopes = scopes }["scope"] == scope)
  }

  @Test(
    arguments: [
      ([:], []), (["scopes_supported": ["openid", "email", "profile"]], ["name"]),
    ] as [(JSONObject, [String])])
  func `configured scopes replace email and profile, and an app may ask for more`(
    _ discovery: JSONObject, _ scopes: [String]
  ) async throws {
    let plan = try await plan(discovery) { $0.scopes = ["openid", "account_email"] }
    let scope = (["openid", "account_email"] + scopes).joined(separator: " ")
    #expect(asked(plan) { $0.scopes = scopes }["scope"] == scope)
  }

  @Test(
    arguments: [
      ([:], true, nil), (["response_modes_supported": ["fragment"]], true, nil),
      (["response_modes_supported": ["form_post"]], true, "form_post"),
      (["response_modes_supported": ["form_post"]], false, nil),
    ] as [(JSONObject, Bool, String?)])
  func `without a secret an ID token is requested, by form_post if it comes to us`(
    _ discovery: JSONObject, _ comesToUs: Bool, _ mode: String?
  ) async throws {
    let plan = try await plan(discovery) { $0.clientSecret = nil }
    #expect(plan.response == .idToken)
    let asked = asked(plan) { $0.comesToUs = comesToUs }
    #expect(asked["response_type"] == "id_token")
    #expect(asked["response_mode"] == mode)
    #expect(asked["code_challenge"] == nil)
    #expect(asked["nonce"] != nil)
  }

  @Test(
    arguments: [
      (nil, .query, true), (nil, .fragment, true), (nil, .formPost, false),
      (["query", "form_post"], .formPost, true), (["query", "form_post"], .fragment, false),
      (["fragment"], .query, false),
    ] as [([String]?, ResponseMode, Bool)])
  func `a code comes with the configured response mode, if the provider supports it`(
    _ offered: [String]?, _ mode: ResponseMode, _ isOffered: Bool
  ) async throws {
    let discovery: JSONObject =
      offered.map { ["response_modes_supported": .array($0.map { .string($0) })] } ?? [:]
    let change = { @Sendable (provider: inout ProviderConfiguration) in
      provider.responseMode = mode
    }
    guard isOffered else {
      await #expect(
        throws: FederationError.incompleteConfiguration(
          provider: try Provider.openIDConnect().id, setting: "response_modes_supported")
      ) { try await plan(discovery, change) }
      return
    }
    let found = try await plan(discovery, change)
    #expect(found.response == .code)
    #expect(asked(found)["response_mode"] == mode.rawValue)
    // An app's own page gets the default.
    #expect(asked(found) { $0.comesToUs = false }["response_mode"] == nil)
  }

  @Test func `an endpoint's own query is kept`() async throws {
    let plan = try await plan(["authorization_endpoint": .string(Self.authorize + "?tenant=a")])
    #expect(asked(plan)["tenant"] == "a")
    #expect(asked(plan)["client_id"] == "client-1")
  }

  @Test func `a missing authorization endpoint is named in the error`() async throws {
    await #expect(
      throws: FederationError.incompleteConfiguration(
        provider: try Provider.openIDConnect().id, setting: "authorization_endpoint")
    ) { try await plan(["authorization_endpoint": .null]) }
  }

  @Test func `a setting that the exchange would lack is reported before the browser is redirected`()
    async throws
  {
    let provider = try Provider()
    var apple = Provider.apple()
    apple.apple?.keyID = nil
    let rows: [(ProviderConfiguration, String)] = [
      (apple, "appleSignInConfig.codeFlowConfig.keyId"), (Provider.google(), "clientSecret"),
      (ProviderConfiguration(id: .facebook, clientID: "1", trustEmail: .never), "clientSecret"),
    ]
    for (configuration, setting) in rows {
      await #expect(
        throws: FederationError.incompleteConfiguration(
          provider: configuration.id, setting: setting)
      ) {
        try await provider.federation.authorizationPlan(for: configuration, now: provider.now)
      }
    }
    #expect(provider.transport.count(Provider.appleToken) == 0)
  }

  @Test(arguments: [[], ["name"], ["email", "name"]])
  func `Apple responds with form_post if a name or an email is requested`(
    _ scopes: [String]
  ) async throws {
    let provider = try Provider()
    let plan = try await provider.federation.authorizationPlan(
      for: Provider.apple(), now: provider.now)
    let asked = asked(plan) {
      $0.scopes = scopes
      $0.comesToUs = false
    }
    #expect(asked["response_mode"] == "form_post")
    #expect(asked["scope"] == (scopes.isEmpty ? "name email" : scopes.joined(separator: " ")))
    #expect(asked["client_id"] == "com.example.web")
  }

  // MARK: RFC 9207

  @Test(
    arguments: [
      (nil, false, nil), ("https://idp.example.com", true, nil), (nil, true, ""),
      ("https://idp.example.com/", false, "https://idp.example.com/"),
      ("https://evil.example.com", false, "https://evil.example.com"),
    ] as [(String?, Bool, String?)])
  func `the response's issuer is the configured one, and required if the provider announces it`(
    _ issuer: String?, _ isAnnounced: Bool, _ refused: String?
  ) async throws {
    let provider = try Provider(
      discovery: ["authorization_response_iss_parameter_supported": .bool(isAnnounced)])
    let check = { () async throws(FederationError) in
      try await provider.federation.checkIssuer(
        issuer, ofAnswerFor: provider.configuration, now: provider.now)
    }
    guard let refused else { return try await check() }
    await #expect(
      throws: FederationError.answerOfOtherIssuer(received: refused, expected: Provider.issuer)
    ) { try await check() }
  }

  @Test(arguments: ["https://accounts.google.com", "accounts.google.com"])
  func `Google may send either issuer`(_ issuer: String) async throws {
    let provider = try Provider()
    try await provider.federation.checkIssuer(
      issuer, ofAnswerFor: Provider.google(), now: provider.now)
  }
}
