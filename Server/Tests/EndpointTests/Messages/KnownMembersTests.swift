import GatehouseProtocol
import Testing

@testable import GatehouseServer

@Suite struct KnownMembersTests {
  private static let members = KnownMembers([
    "name", "signIn.email.enabled", "signIn.allowDuplicateEmails", "versions.minLength", "mfa.*",
  ])

  private func firstUnknown(_ text: String) throws -> String? {
    Self.members.firstUnknown(in: WireFields(try JSONObject(parsing: text)))
  }

  @Test(arguments: [
    "{}", #"{"name":"x"}"#, #"{"signIn":{"email":{"enabled":true}}}"#,
    #"{"sign_in":{"allow_duplicate_emails":true}}"#, #"{"mfa":{"state":"X","more":[{"a":1}]}}"#,
    #"{"versions":[{"minLength":6},{"min_length":7}]}"#, #"{"signIn":null}"#,
    // The reader reports the wrong type.
    #"{"signIn":[1]}"#,
  ]) func `listed members are known, in both forms of their names`(text: String) throws {
    #expect(try firstUnknown(text) == nil)
  }

  @Test(arguments: [
    (#"{"other":1}"#, "other"), (#"{"name":"x","signIn":{"phone":{}}}"#, "signIn.phone"),
    (#"{"signIn":{"email":{"enabled":true,"on":1}}}"#, "signIn.email.on"),
    (#"{"versions":[{"minLength":6},{"maxLength":7}]}"#, "versions.maxLength"),
    (#"{"Name":"x"}"#, "Name"), (#"{"other":null}"#, "other"),
  ]) func `the first unknown member is named by its path`(text: String, path: String) throws {
    #expect(try firstUnknown(text) == path)
  }
}

/// A configuration accepts every member that it shows: a member that is parsed but not listed could
/// never be set.
@Suite struct ConfigurationMembersTests {
  private func fields(_ response: some WireResponse) throws -> WireFields {
    WireFields(try JSONObject(parsing: response.json()))
  }

  private static func unset(_ resource: Any) -> [String] {
    Mirror(reflecting: resource).children.filter { child in
      let value = Mirror(reflecting: child.value)
      return value.displayStyle == .optional && value.children.isEmpty
    }.compactMap(\.label)
  }

  @Test func `every member of a project's configuration is listed`() throws {
    var config = ProjectConfigResource(name: "projects/p/config")
    config.nonce = "client"
    config.linkConsent = "off"
    let shown = try fields(config)
    #expect(ProjectConfigResource.knownMembers.firstUnknown(in: shown) == nil)
  }

  @Test(arguments: [ProviderResource.Kind.apple, .openIDConnect])
  func `every member of a provider's configuration is listed`(
    kind: ProviderResource.Kind
  ) throws {
    var provider = ProviderResource(name: "projects/p/oauthIdpConfigs/oidc.a", kind: kind)
    provider.enabled = true
    provider.displayName = "A"
    provider.clientID = "a"
    provider.clientSecret = "secret"
    provider.issuer = "https://a.example.com"
    provider.responseTypeCode = true
    provider.responseTypeIDToken = true
    provider.bundleIDs = ["com.example.app"]
    provider.appleTeamID = "TEAM"
    provider.appleKeyID = "KEY"
    provider.applePrivateKey = "key"
    provider.additionalClientIDs = ["b"]
    provider.trustedAudiences = ["c"]
    provider.clients = [
      ProviderResource.Client(
        ProviderClient(clientID: "d", secret: Secret("s"), bundleIDs: ["com.example.app"]))
    ]
    provider.allowedParameters = ["tenant"]
    provider.trustEmail = "never"
    provider.requireNonce = true
    provider.keepRefreshToken = true
    provider.publicClient = true
    provider.clientKey = ProviderResource.ClientKey(keyID: "k")
    provider.responseMode = "query"
    provider.discoveryURL = "https://b.example.com"
    provider.scopes = ["email"]
    provider.clientAuthentication = "client_secret_post"
    provider.claimMapping = ProviderResource.ClaimMapping()
    provider.claimMapping?.email = "mail"
    provider.notificationForwardURL = "https://api.example.com/apple"
    var configured = ProviderConfiguration(
      id: kind == .apple ? .apple : try #require(ProviderID("oidc.a")), clientID: "a",
      trustEmail: .never)
    configured.clientSecret = Secret("secret")
    configured.clientKey = ClientKey(privateKey: Secret("key"))
    let project = try #require(ProjectID("demo"))
    provider.derived = ProviderResource.Derived(
      configured, of: .new(project, publicURL: "https://auth.example.com", domains: []))
    provider.derived.notifications = ReceivedNotifications(
      provider: configured.id, lastAt: TestServer.start, lastKind: "email-disabled", count: 1)
    provider.derived.identitiesOfOtherIssuers = 1
    #expect(Self.unset(provider) == [], "set each member here, so that it is checked")
    #expect(ProviderResource.knownMembers.firstUnknown(in: try fields(provider)) == nil)
  }
}
