import GatehouseProtocol
import Testing

@testable import GatehouseServer

@Suite struct MessageTests {
  private func object(_ response: some WireResponse) throws -> JSONObject {
    try JSONObject(parsing: response.json())
  }

  @Test func `a list without failures is omitted`() throws {
    #expect(try object(BatchDeleteResponse(errors: [])).isEmpty)
  }

  @Test func `a disabled provider shows neither enabled nor an empty list`() throws {
    var provider = ProviderResource(name: "projects/p/oauthIdpConfigs/oidc.a", kind: .openIDConnect)
    provider.enabled = false
    provider.additionalClientIDs = []
    provider.responseTypeIDToken = true
    let shown = try object(provider)
    #expect(shown["enabled"] == nil)
    #expect(shown["additionalClientIds"] == nil)
    #expect(shown["responseType"]?["idToken"] == true)
    #expect(shown["responseType"]?["code"] == nil)
  }

  @Test(arguments: ["oidc.a", "apple.com"])
  func `each setting of a provider that is shown can be written`(id: String) throws {
    let project = try #require(ProjectID("demo"))
    var provider = ProviderConfiguration(
      id: try #require(ProviderID(id)), clientID: "client", trustEmail: .always)
    provider.isEnabled = true
    provider.displayName = "A provider"
    provider.additionalClientIDs = ["another client"]
    provider.clients = [ProviderClient(clientID: "tablet", bundleIDs: ["com.example.app"])]
    provider.trustedAudiences = ["an audience"]
    provider.clientSecret = Secret("a client secret")
    provider.secretPlace = .body
    provider.clientKey = ClientKey(
      privateKey: Secret("a private key"), keyID: "key", algorithm: "PS256",
      audience: .tokenEndpoint)
    provider.isPublicClient = true
    provider.issuer = "https://id.example.com"
    provider.discoveryURL = "https://id.example.com/discovery"
    provider.responseMode = .formPost
    for field in ClaimMapping.Field.allCases {
      provider.claimMapping[field] = ClaimPath("a_claim_for_\(field.rawValue)")
    }
    provider.requiresNonce = true
    provider.allowedParameters = ["tenant"]
    provider.scopes = ["profile"]
    provider.keepsRefreshToken = false
    provider.notificationForwardURL = "https://api.example.com/apple"
    let isApple = provider.id == .apple
    if isApple {
      provider.apple = .init(
        bundleIDs: ["com.example.app"], teamID: "TEAM", keyID: "KEY",
        privateKey: Secret("Apple's private key"))
    } else {
      provider.responseType.code = true
    }

    let shown = ProviderResource(
      provider, of: .new(project, publicURL: "https://auth.example.com", domains: []),
      showsSecrets: true)
    let without = ["bundleIDs", "appleTeamID", "appleKeyID", "applePrivateKey"]
    #expect(absent(in: shown) == (isApple ? [] : without))
    var given = try ProviderResource(WireFields(try object(shown)))
    let responseType = ["responseTypeCode", "responseTypeIDToken"]
    #expect(absent(in: given) == (isApple ? responseType : ["responseTypeIDToken"] + without))
    // Never shown.
    given.clientKey?.privateKey = "a private key"
    var written = ProviderConfiguration(id: provider.id, clientID: "", trustEmail: .never)
    try given.apply(to: &written, under: .absent)
    #expect(contents(written) == contents(provider))
  }

  /// The properties that are nil.
  private func absent(in resource: ProviderResource) -> [String] {
    Mirror(reflecting: resource).children.filter { child in
      let value = Mirror(reflecting: child.value)
      return value.displayStyle == .optional && value.children.isEmpty
    }.compactMap(\.label)
  }

  private func contents(_ value: some Any) -> String {
    var text = ""
    dump(value, to: &text)
    return text
  }
}
