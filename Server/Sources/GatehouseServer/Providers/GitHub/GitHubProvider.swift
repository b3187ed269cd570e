package import GatehouseProtocol

/// GitHub: OAuth 2.0 without OpenID Connect. It issues no ID tokens, so its REST API identifies the
/// user; see ``GitHubAPI``.
///
/// <https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps>
///
/// A GitHub App signs users in with the same requests. It has permissions in place of scopes
/// (GitHub, "Generating a user access token for a GitHub App").
struct GitHubProvider: AccessTokenProvider {
  static let kind: ProviderKind = {
    var kind = ProviderKind(id: .github, name: "github", displayName: "GitHub")
    kind.redirectURIPlace = "at GitHub (the app's callback URL)"
    kind.developmentClient = ("demo-github-client", "demo-github-secret")
    kind.federatedIDPrefix = "http://github.com/"
    return kind
  }()

  private let endpoints: GitHubEndpoints

  init() { endpoints = GitHubEndpoints() }

  init?(baseURL: String) {
    guard let endpoints = GitHubEndpoints(baseURL: baseURL) else { return nil }
    self.endpoints = endpoints
  }

  /// GitHub has neither ID tokens nor public clients.
  static func faults(
    in configuration: ProviderConfiguration, allowsPlainHTTP: Bool
  ) -> [ProviderConfigurationFault] {
    guard configuration.isEnabled else { return [] }
    var faults: [ProviderConfigurationFault] = []
    if !GitHubApp.isClientID(configuration.clientID) {
      faults.append(.clientIDForm("GitHub's client ids are letters and digits"))
    }
    if configuration.clientSecret?.reveal().isEmpty ?? true { faults.append(.secretMissing) }
    return faults
  }

  func idTokenRules(_ configuration: ProviderConfiguration) -> IDTokenRules? { nil }

  func identity(
    of token: BoundIDToken, subject: Subject, with credential: IdPCredential,
    in context: ProviderContext
  ) throws(FederationError) -> ExternalIdentity {
    throw .missingAccessToken(context.configuration.id)
  }

  /// Issuer identifiers that GitHub may send (RFC 9207); its documentation names none.
  func answerIssuers(_ configuration: ProviderConfiguration) -> [String] {
    ["https://github.com/login/oauth", "https://github.com"]
  }

  /// GitHub has supported PKCE since July 2025, only with `S256`.
  func authorizationPlan(
    in context: ProviderContext
  ) throws(FederationError) -> AuthorizationPlan {
    _ = try GitHubApp(context.configuration)
    return AuthorizationPlan(
      response: .code, usesPKCE: true, endpoint: endpoints.authorize,
      clientID: context.configuration.clientID,
      // Without it an OAuth app gets only the public email, and not whether it is verified. "If
      // you're building a GitHub App, you don't need to provide scopes".
      scopes: .init(required: ["user:email"]), mode: .unsaid, sendsNonce: false)
  }

  func codeEndpoints(
    clientID: String?, redirectURI: String?, in context: ProviderContext
  ) -> CodeEndpoints {
    CodeEndpoints(
      token: endpoints.token, revoke: nil,
      credentials: ClientCredentials(secretInBodyOf: context.configuration, clientID: clientID))
  }

  var identifiesByAccessToken: Bool { true }

  func asks(about credential: IdPCredential) -> Bool { credential.hasAccessToken }

  func identity(
    ofAccessToken accessToken: Secret<String>, in context: ProviderContext
  ) async throws(FederationError) -> ExternalIdentity {
    let api = try api(in: context)
    guard let token = BearerToken(accessToken) else { throw .accessToken(.unreadable) }
    let grant = try await api.inspect(token)
    let user = try await api.user(of: token, grant.subject)
    let email = try await api.email(of: token, grant, user)
    var identity = Self.identity(grant, user, email, context.configuration)
    identity.tokens.accessToken = accessToken
    return identity
  }

  /// Ends the user's grant for the app, with all of its tokens.
  func revoke(
    _ token: Secret<String>, kind: RevocableToken, clientID: String?, in context: ProviderContext
  ) async throws(FederationError) {
    let api = try api(in: context)
    guard let token = BearerToken(token) else { throw .accessToken(.unreadable) }
    try await api.revokeGrant(of: token)
  }

  func clientFindings(in context: ProviderContext) async -> [Finding] {
    [await proofFinding(check: "client secret", in: context)]
  }

  private func api(in context: ProviderContext) throws(FederationError) -> GitHubAPI {
    GitHubAPI(
      endpoints: endpoints, app: try GitHubApp(context.configuration), context: context)
  }

  private static func identity(
    _ grant: GitHubAPI.Grant, _ user: GitHubAPI.User, _ email: GitHubAPI.Email?,
    _ configuration: ProviderConfiguration
  ) -> ExternalIdentity {
    var identity = ExternalIdentity(
      provider: configuration.id, subject: grant.subject,
      email: email.flatMap { email in
        // GitHub runs no mailboxes: it verified an address in the past, and the owner may have
        // changed.
        email.address.map {
          EmailTrustRule(configuration).email(
            $0, isVerified: email.isVerified, isAuthoritative: false)
        }
      },
      profile: ExternalIdentity.Profile(
        displayName: PlainText.name(user.json["name"]?.string),
        photoURL: PlainText.pictureURL(user.json["avatar_url"]?.string),
        screenName: PlainText.name(user.json["login"]?.string)),
      rawUserInfo: user.text)
    identity.hasRefusedEmail = email.map { $0.address == nil } ?? false
    return identity
  }
}

extension ProviderID {
  package static let github = ProviderID(constant: "github.com")
}
