import HTTPTypes
import Hummingbird

/// Google as an OpenID Connect provider, and the results of its SDK for apps. The paths of
/// Google's several hosts are below one folder.
struct GoogleProvider: OpenIDKind {
  let id = "google"
  let displayName = "Google"

  let paths = OpenIDPaths(
    authorize: "o/oauth2/v2/auth", token: "token", userInfo: "oauth2/v3/userinfo",
    keys: "oauth2/v3/certs", revoke: ["revoke", "o/oauth2/revoke"])

  var endpoints: [Endpoint] {
    paths.endpoints(in: "google", of: "Google")
      + ["tokeninfo", "oauth2/v3/tokeninfo"].map { path in
        Endpoint("GET", "/google/\(path)", "the client and user of a Google access token")
      }
      + FirebaseSessions.endpoints
  }

  func addRoutes(_ store: SimulatorStore, to router: Router<SimulatorContext>) {
    let endpoints = OpenIDEndpoints(store: store, provider: .google, kind: self)
    let group = router.group("google")
    endpoints.add(to: group)
    for path in ["tokeninfo", "oauth2/v3/tokeninfo"] {
      for method in [HTTPRequest.Method.get, .post] {
        group.on(RouterPath(path), method: method) { request, _ in
          try await endpoints.tokenInfo(request)
        }
      }
    }
    FirebaseSessions(store: store).add(to: group)
    GoogleEventControl(store: store).addPageActions(to: router.group("simulator/page"))
  }

  // MARK: Tokens

  /// The `scopes_supported` of Google's discovery document.
  let scopes: [Scope] = [.openid, .email, .profile]

  /// Google does not have the standard's scope for refresh tokens, and responds with
  /// `invalid_scope`. Its other scopes, for its APIs, are ignored.
  func checkScopes(_ requested: Set<Scope>) throws(SimulatorError) {
    guard !requested.contains(.offlineAccess) else {
      throw SimulatorError(
        .badRequest, "invalid_scope",
        "Google has no scope \"offline_access\". For a refresh token, send access_type=offline.")
    }
  }

  func issuer(of provider: Provider, baseURL: String) -> String { "https://accounts.google.com" }

  func newCode() -> String { "4/0A\(RandomToken.base64(bytes: 40))" }
  func newAccessToken() -> String { "ya29.a0\(RandomToken.base64(bytes: 60))" }
  func newRefreshToken() -> String { "1//0\(RandomToken.base64(bytes: 48))" }

  /// Google shows its consent page once, and issues a refresh token only if it showed the page.
  func givesRefreshToken(_ request: ApprovalRequest, isFirst: Bool) -> Bool {
    request.wantsRefreshToken && (isFirst || request.promptsConsent)
  }

  func idTokenClaims(_ approved: ApprovedGrant, in state: SimulatorState) -> [String: JSONValue] {
    GoogleClaims.claims(approved.grant, approved.person)
  }

  func error(for refusal: GrantRefusal) -> SimulatorError {
    switch refusal {
    case .redirectURI: SimulatorError(.badRequest, redirectURIMismatch, "Bad Request")
    case .unknownCode: .invalidGrant("Malformed auth code.")
    case .missingVerifier: .invalidGrant("Missing code verifier.")
    case .unexpectedVerifier: .invalidGrant("code_verifier or verifier is not needed.")
    case .wrongVerifier: .invalidGrant("Invalid code verifier.")
    case .withdrawn: .invalidGrant("Token has been expired or revoked.")
    case .usedCode, .expiredCode, .codeOfAnotherClient, .unknownRefreshToken,
      .refreshTokenOfAnotherClient:
      .invalidGrant("Bad Request")
    }
  }

  // MARK: Endpoints

  let meetsRequestedClaims = false
  let announcesIssuerOfAnswers = false
  let redirectURIMismatch = "redirect_uri_mismatch"
  let userInfoRefusal = "invalid_request"
  let hasOpenRevocation = true
  let givesCodesToNamedServersOnly = true

  /// The index of the account in the browser, and the page that the person was shown.
  func answerFields(_ approval: Approval) -> [(name: String, value: String)] {
    [("authuser", "0"), ("prompt", approval.isFirst ? "consent" : "none")]
  }

  func userInfoClaims(_ approved: ApprovedGrant) -> [String: JSONValue] {
    GoogleClaims.claims(approved.grant, approved.person)
  }

  /// AppAuth, on which GoogleSignIn for iOS is based, creates a nonce of 32 random bytes.
  func nonceOfSDK() -> String? { RandomToken.base64(bytes: 32) }

  // MARK: Persons

  func subject(of person: Person) -> String? { GoogleClaims.subject(of: person) }

  /// `hd` limits the accounts to one Google Workspace, `*` to any (Google, "OpenID Connect").
  func offers(_ person: Person, for form: RequestForm) -> Bool {
    guard let domain = form.filled("hd") else { return true }
    return person.hostedDomain.map { domain == "*" || $0.isSame(as: domain) } == true
  }
}

extension Provider {
  static let google = Provider(GoogleProvider())
}
