import Hummingbird

/// Facebook Login with the Graph API that checks its access tokens, Limited Login, and the results
/// of Facebook's SDK.
struct FacebookProvider: ProviderKind {
  /// Facebook's access tokens are "long-lived": 60 days, in seconds.
  static let accessTokenLifetime = 5_184_000

  let id = "facebook"
  let displayName = "Facebook"

  let endpoints = [
    Endpoint(
      "POST", "/facebook/native-sign-in", "the results of Facebook's SDK, also of Limited Login"),
    Endpoint(
      "GET", "/facebook/graph/debug_token", "the app, user and scopes of a Facebook access token"),
    Endpoint("GET", "/facebook/graph/me", "who signed in at Facebook"),
    Endpoint("GET", "/facebook/dialog/oauth", "Facebook's web flow"),
    Endpoint("GET", "/facebook/graph/oauth/access_token", "exchanges a Facebook code"),
    Endpoint("DELETE", "/facebook/graph/me/permissions", "ends the person's consent"),
    Endpoint(
      "DELETE", "/facebook/graph/{version}/permissions",
      "ends the consent of the user with this id, with the app's access token"),
    Endpoint(
      "GET", "/facebook/.well-known/openid-configuration", "Limited Login's discovery document"),
    Endpoint("GET", "/facebook/.well-known/oauth/openid/jwks", "Limited Login's key set"),
  ]

  func addRoutes(_ store: SimulatorStore, to router: Router<SimulatorContext>) {
    FacebookRoutes(store: store).add(to: router.group("facebook"))
  }

  // MARK: Tokens

  let scopes: [Scope] = [.openid, .email, .publicProfile]
  var accessTokenLifetime: Int? { Self.accessTokenLifetime }

  func issuer(of provider: Provider, baseURL: String) -> String { "https://www.facebook.com" }

  func newCode() -> String { "AQ\(RandomToken.base64(bytes: 96))" }
  func newAccessToken() -> String { "EAA\(RandomToken.base64(bytes: 96))" }

  /// Facebook has no refresh tokens: access tokens are valid for 60 days.
  func givesRefreshToken(_ request: ApprovalRequest, isFirst: Bool) -> Bool { false }

  func idTokenClaims(_ approved: ApprovedGrant, in state: SimulatorState) -> [String: JSONValue] {
    FacebookClaims.claims(approved.grant, approved.person)
  }

  // MARK: Dialogs

  func askedScopes(_ form: RequestForm) -> Set<Scope> { FacebookClaims.scopes(form["scope"]) }

  /// Facebook has no `prompt` parameter.
  func prompt(_ form: RequestForm) -> Set<String> { [] }

  /// After the first consent, a permission that wasn't granted is requested only with
  /// `auth_type=rerequest`.
  func offer(
    _ request: DialogRequest, to person: Person, standing: Consent?, in state: SimulatorState
  ) -> DialogOffer {
    let asked = request.scopes
    let new = asked.subtracting(standing?.scopes ?? [])
    let asksAnew = request.form["auth_type"] == "rerequest"
    let offered = standing == nil || asksAnew ? asked : asked.subtracting(new)
    return DialogOffer(
      person: person, asksForConsent: true, isFirst: standing == nil,
      scopes: sorted(offered.subtracting([.openid])),
      declinable: standing == nil || asksAnew ? sorted(new.intersection([.email])) : [])
  }

  /// The requested permissions that the person didn't grant before.
  func declined(_ request: DialogRequest, _ offer: DialogOffer) -> [Scope] {
    sorted(request.scopes.subtracting(offer.scopes).subtracting([.openid]))
  }

  // MARK: Clients

  let hasAuthenticationMethods = false
}

extension Provider {
  static let facebook = Provider(FacebookProvider())
}

extension Scope {
  static let publicProfile = Scope(rawValue: "public_profile")
}
