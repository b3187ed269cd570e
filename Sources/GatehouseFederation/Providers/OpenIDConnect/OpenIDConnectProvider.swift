import GatehouseJSON
import GatehouseModel
import GatehouseTokens

/// Any provider that follows OpenID Connect Core and Discovery: what an operator configures as
/// `oidc.<name>`.
struct OpenIDConnectProvider: IdentityProvider {
  static let kind: ProviderKind = {
    var kind = ProviderKind(id: nil, name: "oidc", displayName: "OpenID Connect")
    kind.redirectURIPlace = "at the provider, for each client"
    kind.hasConfiguredIssuer = true
    return kind
  }()

  private let userInfoCalls = CallLimit(UserInfo.maximumCalls)

  init() {}

  /// It has an issuer, and so no base URL.
  init?(baseURL: String) { nil }

  func idTokenRules(
    _ configuration: ProviderConfiguration
  ) throws(FederationError) -> IDTokenRules? {
    guard let issuer = configuration.issuer, !issuer.isEmpty else {
      throw .incompleteConfiguration(provider: configuration.id, setting: "issuer")
    }
    var rules = IDTokenRules(
      issuers: [issuer], keys: KeySource(issuer: issuer),
      // The keys decide: they are the configured issuer's, and each fits its own kind of algorithm
      // only. There is no symmetric one.
      algorithms: Set(SignatureAlgorithm.allCases))
    rules.nonce = NonceRule(isRequired: configuration.requiresNonce)
    return rules
  }

  func identity(
    of verified: VerifiedIDToken, subject: Subject, with credential: IdPCredential,
    in context: ProviderContext
  ) async throws(FederationError) -> ExternalIdentity {
    let mapping = context.configuration.claimMapping
    let answer = try await userInfo(of: verified, credential.accessToken, in: context)
    var json = verified.token.claims.json
    if case .claims(let added) = answer { json = Self.merged(json, with: added, mapping) }
    let claims = StandardClaims(json, mapping: mapping)
    var identity = ExternalIdentity(
      provider: context.configuration.id, subject: subject,
      // Only the provider knows whose mailboxes it runs.
      email: EmailTrustRule(context.configuration).email(claims, isAuthoritative: false),
      profile: claims.profile, rawUserInfo: JSONValue.object(json).text())
    identity.issuer = verified.token.claims.string("iss")
    identity.signInAttributes = SignInAttributes.text(verified.token.claims.json)
    if case .refused = answer { identity.isAccessTokenRefused = true }
    return identity
  }

  /// An access token that comes with an ID token is for the userinfo endpoint.
  func asks(about credential: IdPCredential) -> Bool {
    credential.hasAccessToken && credential.hasIDToken
  }

  private func userInfo(
    of verified: VerifiedIDToken, _ accessToken: Secret<String>?, in context: ProviderContext
  ) async throws(FederationError) -> UserInfo.Answer {
    guard let accessToken,
      !verified.token.claims.contains(context.configuration.claimMapping.emailClaim),
      let url = verified.metadata?.userInfo
    else { return .none }
    return try await UserInfo(transport: context.services.transport, calls: userInfoCalls).claims(
      at: url, accessToken: accessToken, subject: verified.token.subject)
  }

  /// The ID token, which is signed, wins.
  private static func merged(
    _ token: JSONObject, with userInfo: JSONObject, _ mapping: ClaimMapping
  ) -> JSONObject {
    let email = mapping.emailClaim
    let emailVerified = mapping.emailVerified?.names.first ?? "email_verified"
    var merged = token
    for member in userInfo.members where merged[member.name] == nil {
      // An address and the statement that it is verified must come from the same place.
      if member.name.hasSameBytes(as: emailVerified), token[email] != nil { continue }
      if member.name.hasSameBytes(as: email), token[emailVerified] != nil { continue }
      merged[member.name] = member.value
    }
    return merged
  }
}

extension ClaimMapping {
  /// The claim that is, or holds, the address.
  fileprivate var emailClaim: String { email?.names.first ?? "email" }
}
