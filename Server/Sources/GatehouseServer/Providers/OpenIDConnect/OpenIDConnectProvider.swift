import GatehouseProtocol
import GatehouseTokens

/// Any provider that follows OpenID Connect Core and Discovery. Its id is `oidc.<name>`; an
/// administrator chooses the name.
struct OpenIDConnectProvider: IdentityProvider {
  static let kind: ProviderKind = {
    var kind = ProviderKind(id: nil, name: "oidc", displayName: "OpenID Connect")
    kind.redirectURIPlace = "at the provider, for each client"
    kind.hasConfiguredIssuer = true
    return kind
  }()

  init() {}

  /// Always nil: it has an issuer instead of a base URL.
  init?(baseURL: String) { nil }

  func idTokenRules(
    _ configuration: ProviderConfiguration
  ) throws(FederationError) -> IDTokenRules? {
    guard let issuer = configuration.issuer, !issuer.isEmpty else {
      throw .incompleteConfiguration(provider: configuration.id, setting: "issuer")
    }
    var rules = IDTokenRules(
      issuers: [issuer],
      keys: KeySource(
        Discovery(issuer: issuer, configuredURL: configuration.discoveryURL),
        of: configuration.project),
      // The keys limit the algorithms: they are the configured issuer's, and each fits only its own
      // kind of algorithm.
      algorithms: Set(SignatureAlgorithm.allCases))
    // LINE signs so in the code flow, whatever its discovery document says; so does Authentik without
    // a signing key.
    rules.acceptsClientSecret = true
    rules.nonce = NonceRule(isRequired: configuration.requiresNonce)
    return rules
  }

  func identity(
    of verified: BoundIDToken, subject: Subject, with credential: IdPCredential,
    in context: ProviderContext
  ) async throws(FederationError) -> ExternalIdentity {
    let mapping = context.configuration.claimMapping
    let answer = try await userInfo(of: verified, credential.accessToken, in: context)
    var json = verified.token.claims.json
    if case .claims(let added) = answer { json = Self.merged(json, with: added, mapping) }
    let claims = StandardClaims(json, mapping: mapping)
    var identity = ExternalIdentity(
      provider: context.configuration.id, subject: subject,
      // Only the provider knows which mailboxes it runs.
      email: EmailTrustRule(context.configuration).email(claims, isAuthoritative: false),
      profile: claims.profile, rawUserInfo: JSONValue.object(json).text())
    identity.hasRefusedEmail = claims.hasRefusedEmail
    identity.issuer = verified.token.claims.string("iss")
    identity.signInAttributes = context.signInAttributes(verified.token.claims.json)
    if case .refused = answer { identity.isAccessTokenRefused = true }
    return identity
  }

  /// An access token that comes with an ID token may be used at the userinfo endpoint.
  func asks(about credential: IdPCredential) -> Bool {
    credential.hasAccessToken && credential.hasIDToken
  }

  private func userInfo(
    of verified: BoundIDToken, _ accessToken: Secret<String>?, in context: ProviderContext
  ) async throws(FederationError) -> UserInfoEndpoint.Answer {
    guard let accessToken,
      !verified.token.claims.has(context.configuration.claimMapping.emailClaim),
      let url = verified.metadata?.userInfo,
      let rules = try idTokenRules(context.configuration)
    else { return .none }
    return try await UserInfoEndpoint(rules: rules, context: context).claims(
      at: url, accessToken: accessToken, subject: verified.token.subject)
  }

  /// Claims of the ID token, which is signed, override those of userinfo.
  private static func merged(
    _ token: JSONObject, with userInfo: JSONObject, _ mapping: ClaimMapping
  ) -> JSONObject {
    let email = mapping.emailClaim
    let emailVerified = mapping.emailVerified?.names.first ?? "email_verified"
    var merged = token
    for member in userInfo.members where merged.optional(member.name) == nil {
      // An email and the claim that it is verified must come from the same source.
      if member.name.hasSameBytes(as: emailVerified), token.optional(email) != nil { continue }
      if member.name.hasSameBytes(as: email), token.optional(emailVerified) != nil { continue }
      merged[member.name] = member.value
    }
    return merged
  }
}

extension ClaimMapping {
  /// The claim that is, or contains, the email.
  fileprivate var emailClaim: String { email?.names.first ?? "email" }
}
