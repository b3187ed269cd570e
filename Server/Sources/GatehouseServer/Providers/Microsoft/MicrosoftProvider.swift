import GatehouseProtocol
import GatehouseTokens

/// The deviations of Microsoft (Entra ID, v2.0) from OpenID Connect: each tenant is a separate
/// issuer, and emails aren't verified.
///
/// <https://learn.microsoft.com/en-us/entra/identity-platform/id-token-claims-reference>
struct MicrosoftProvider: IdentityProvider {
  static let kind: ProviderKind = {
    var kind = ProviderKind(id: .microsoft, name: "microsoft", displayName: "Microsoft")
    kind.redirectURIPlace = "at Microsoft (the app registration's Web redirect URIs)"
    kind.developmentClient = (
      "6731de76-14a6-49ae-97bc-6eba6914391e", "demo-microsoft-secret"
    )
    kind.hasConfiguredIssuer = true
    return kind
  }()

  private let base: String
  /// The keys of all tenants; each key names the issuer of its tokens.
  private let keys: OutboundURL

  private static let keysPath: StaticString = "/common/discovery/v2.0/keys"

  init() {
    base = "https://login.microsoftonline.com"
    keys = OutboundURL(secureHost: "login.microsoftonline.com", path: Self.keysPath)
  }

  init?(baseURL: String) {
    base = baseURL
    guard let keys = OutboundURL(base: baseURL, path: "\(Self.keysPath)") else { return nil }
    self.keys = keys
  }

  /// The claim `email` is never trusted: an administrator of any tenant can give a user any email
  /// (<https://learn.microsoft.com/en-us/entra/identity-platform/claims-validation>).
  static func faults(
    in configuration: ProviderConfiguration, allowsPlainHTTP: Bool
  ) -> [ProviderConfigurationFault] {
    var faults: [ProviderConfigurationFault] = []
    if MicrosoftTenant(issuer: configuration.issuer) == nil { faults.append(.tenantForm) }
    if configuration.trustEmail != .never {
      faults.append(.emailTrust("administrators of any tenant choose their users' addresses"))
    }
    // Refresh tokens are kept only to be revoked later.
    if configuration.keepsRefreshToken == true {
      faults.append(.keptTokens("Microsoft has no endpoint that revokes tokens"))
    }
    return faults
  }

  func idTokenRules(
    _ configuration: ProviderConfiguration
  ) throws(FederationError) -> IDTokenRules? {
    // The discovery document names only RS256; the keys have no `alg`.
    var rules = IDTokenRules(issuers: [], keys: keys)
    rules.tenants = try tenant(configuration).rule
    rules.nonce = NonceRule(isRequired: configuration.requiresNonce)
    return rules
  }

  /// The subject is `sub`, which Microsoft creates for each pair of user and app registration.
  /// `preferred_username`, `upn` and `email` may be given to another user later.
  func identity(
    of verified: BoundIDToken, subject: Subject, with credential: IdPCredential,
    in context: ProviderContext
  ) -> ExternalIdentity {
    let claims = StandardClaims(verified.token.claims)
    var profile = claims.profile
    profile.photoURL = nil
    var identity = ExternalIdentity(
      provider: context.configuration.id, subject: subject,
      email: claims.email.map { AssertedEmail(address: $0, isVerified: false, isTrusted: false) },
      profile: profile, rawUserInfo: verified.token.claims.jsonText())
    identity.hasRefusedEmail = claims.hasRefusedEmail
    // The issuer of the tenant: the same `sub` of another tenant is another user.
    identity.issuer = verified.token.issuer
    identity.signInAttributes = context.signInAttributes(verified.token.claims.json)
    return identity
  }

  func authorizationPlan(
    in context: ProviderContext
  ) throws(FederationError) -> AuthorizationPlan {
    let configuration = context.configuration
    guard configuration.clientSecret != nil || configuration.isPublicClient else {
      throw context.missing("clientSecret")
    }
    return AuthorizationPlan(
      response: .code, usesPKCE: true, endpoint: try endpoint("authorize", in: context),
      clientID: configuration.clientID, scopes: .init(required: ["openid", "email", "profile"]),
      mode: .unsaid, sendsNonce: true)
  }

  /// There is no revocation endpoint: users revoke an app's access at
  /// <https://microsoft.com/consent>.
  func codeEndpoints(
    clientID: String?, redirectURI: String?, in context: ProviderContext
  ) throws(FederationError) -> CodeEndpoints {
    CodeEndpoints(
      token: try endpoint("token", in: context), revoke: nil,
      credentials: ClientCredentials(secretInBodyOf: context.configuration, clientID: clientID))
  }

  func clientFindings(in context: ProviderContext) async -> [Finding] {
    guard context.configuration.clientSecret != nil else { return [] }
    return [await proofFinding(check: "client secret", in: context)]
  }

  private func tenant(
    _ configuration: ProviderConfiguration
  ) throws(FederationError) -> MicrosoftTenant {
    guard let tenant = MicrosoftTenant(issuer: configuration.issuer) else {
      throw .incompleteConfiguration(provider: configuration.id, setting: "issuer")
    }
    return tenant
  }

  private func endpoint(
    _ name: String, in context: ProviderContext
  ) throws(FederationError) -> OutboundURL {
    let tenant = try tenant(context.configuration).name
    guard let url = OutboundURL(base: base, path: "/\(tenant)/oauth2/v2.0/\(name)") else {
      throw context.missing("issuer")
    }
    return url
  }
}
