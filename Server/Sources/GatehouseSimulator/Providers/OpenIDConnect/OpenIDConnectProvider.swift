import Hummingbird

/// A provider that follows the standards: OpenID Connect Core and Discovery, RFC 6749, RFC 7009,
/// RFC 7636. Tests can create more of this kind: ``IssuerRoutes``.
struct OpenIDConnectProvider: OpenIDKind {
  let id = "oidc"
  let displayName = "OpenID Connect"
  let canBeMadeByTests = true

  let paths = OpenIDPaths(
    authorize: "authorize", token: "token", userInfo: "userinfo", keys: "jwks",
    revoke: ["revoke"])

  var endpoints: [Endpoint] {
    paths.endpoints(in: "oidc", of: "the generic provider")
      + paths.endpoints(in: "oidc/{issuer}", of: "a provider that a test created")
  }

  func addRoutes(_ store: SimulatorStore, to router: Router<SimulatorContext>) {
    OpenIDEndpoints(store: store, provider: .oidc, kind: self).add(to: router.group("oidc"))
    IssuerRoutes(store: store, kind: self).add(to: router.group("oidc/{issuer}"))
  }

  /// The path with the issuer's name, only if that issuer exists: so the number of paths is
  /// limited.
  func countedPath(
    _ route: String, _ context: SimulatorContext, _ state: SimulatorState
  ) -> String {
    guard let name = context.parameters.get("issuer"),
      let issuer = Provider(self, named: name), state.madeByTests.contains(issuer)
    else { return route }
    return route.replacing("{issuer}", with: name)
  }

  func issuer(of provider: Provider, baseURL: String) -> String {
    "\(baseURL)/\(provider.rawValue)"
  }

  func idTokenClaims(_ approved: ApprovedGrant, in state: SimulatorState) -> [String: JSONValue] {
    OpenIDConnectClaims.claims(
      approved.grant, approved.person, asked: approved.grant.claims.idToken)
  }

  func userInfoClaims(_ approved: ApprovedGrant) -> [String: JSONValue] {
    OpenIDConnectClaims.claims(
      approved.grant, approved.person, asked: approved.grant.claims.userInfo)
  }

  func subject(of person: Person) -> String? { OpenIDConnectClaims.subject(of: person) }

  // MARK: Test control

  func addControl(_ store: SimulatorStore, to group: RouterGroup<SimulatorContext>) {
    IssuerControl(store: store, kind: self).add(to: group)
  }

  let controlEndpoints = [
    Endpoint("GET", "/simulator/issuers", "the OpenID providers that tests created"),
    Endpoint(
      "PUT", "/simulator/issuers/{name}",
      "creates an OpenID provider for a test (DELETE: deletes it)"),
  ]

  func overviewSections(
    _ state: SimulatorState, baseURL: String
  ) -> [(title: String, html: String)] {
    let rows = state.madeByTests.map { $0.issuer(baseURL: baseURL) }.sorted()
      .prefix(HTML.shownRows).map { [HTML.code($0)] }
    return [("Issuers created by tests", HTML.table(["Issuer"], Array(rows)))]
  }
}

extension Provider {
  static let oidc = Provider(OpenIDConnectProvider())
}
