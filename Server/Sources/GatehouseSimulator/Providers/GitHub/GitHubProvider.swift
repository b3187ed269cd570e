import Hummingbird

/// GitHub for OAuth apps (GitHub, "Authorizing OAuth apps") and for GitHub Apps that sign users in:
/// OAuth 2.0 without OpenID Connect. The client reads who signed in from the REST API.
struct GitHubProvider: ProviderKind {
  let id = "github"
  let displayName = "GitHub"

  let endpoints = [
    Endpoint("GET", "/github/login/oauth/authorize", "GitHub's web flow"),
    Endpoint("POST", "/github/login/oauth/access_token", "exchanges a GitHub code"),
    Endpoint("GET", "/github/api/user", "who signed in at GitHub"),
    Endpoint("GET", "/github/api/user/emails", "the person's addresses, and which are verified"),
    Endpoint(
      "POST", "/github/api/applications/{client_id}/token",
      "checks a GitHub token (DELETE: revokes it)"),
    Endpoint(
      "DELETE", "/github/api/applications/{client_id}/grant", "ends a person's authorization"),
    Endpoint("POST", "/github/native-sign-in", "a GitHub token without a browser"),
  ]

  func addRoutes(_ store: SimulatorStore, to router: Router<SimulatorContext>) {
    GitHubRoutes(store: store).add(to: router.group("github"))
  }

  // MARK: Tokens

  /// GitHub's scopes that sign-ins usually request, those that imply them, and some that are
  /// requested together with them.
  let scopes: [Scope] = [
    .repo, .gist, .readOrganization, .user, .readUser, .userEmail, .userFollow,
  ]
  /// "The temporary code will expire after 10 minutes."
  let codeLifetime = 600
  /// Tokens of OAuth apps don't expire. Nor do those of a GitHub App that has opted out of
  /// expiration.
  let accessTokenLifetime: Int? = nil

  /// GitHub has no ID tokens, so no response contains this issuer.
  func issuer(of provider: Provider, baseURL: String) -> String { "https://github.com" }

  func newCode() -> String { RandomToken.hex(bytes: 10) }
  func newAccessToken() -> String { "gho_" + RandomToken.alphanumeric(count: 36) }
  /// A GitHub App's token for a user.
  func newUserAccessToken() -> String { "ghu_" + RandomToken.alphanumeric(count: 36) }

  func givesRefreshToken(_ request: ApprovalRequest, isFirst: Bool) -> Bool { false }

  func idTokenClaims(_ approved: ApprovedGrant, in state: SimulatorState) -> [String: JSONValue] {
    [:]
  }

  func error(for refusal: GrantRefusal) -> SimulatorError {
    refusal == .redirectURI
      ? GitHubTokenError.redirectURIMismatch : GitHubTokenError.badVerificationCode
  }

  // MARK: Dialogs

  /// A request without scopes asks for none at the first sign-in; later it gets the scopes that
  /// were granted before.
  func askedScopes(_ form: RequestForm) -> Set<Scope> { GitHubScopes.parse(form["scope"]) }

  /// `select_account` is the only supported value.
  func prompt(_ form: RequestForm) -> Set<String> {
    form["prompt"] == "select_account" ? ["select_account"] : []
  }

  func meaning(of scope: Scope) -> ScopeMeaning { GitHubScopes.meaning(of: scope) }

  // MARK: Persons and clients

  func subject(of person: Person) -> String? { String(GitHubUser(person).id) }

  var accountType: (any ProviderAccount.Type)? { GitHubAccount.self }

  func describe(_ person: Person) -> [String: JSONValue] {
    let user = GitHubUser(person)
    return [
      "githubAccount": [
        "login": .string(user.login), "id": .integer(user.id),
        "publicEmail": .optional(user.publicEmail),
        "emails": .array(user.emails.map(\.json)),
      ]
    ]
  }

  let hasAuthenticationMethods = false

  let clientMembers = [GitHubPermissions.member]

  func check(_ client: RegisteredClient, allowedHosts: [String]) throws(SimulatorError) {
    guard let permissions = client.details[GitHubPermissions.member] else { return }
    _ = try GitHubPermissions(permissions)
  }
}

extension Provider {
  static let github = Provider(GitHubProvider())
}
