import HTTPTypes
import Hummingbird

/// `GET /`: what is here, for a person who points a browser or curl at the port.
struct IndexRoute: Sendable {
  let store: SimulatorStore

  func add(to router: Router<SimulatorContext>) {
    router.get("/") { request, _ in
      request.headers[.accept]?.contains("text/html") == true
        ? try OverviewPage(store: store, endpoints: Self.endpoints).response() : try json()
    }
  }

  private static let endpoints: [(method: String, path: String, about: String)] = [
    ("POST", "/apple/native-sign-in", "what a device's Sign in with Apple sheet answers"),
    ("GET", "/apple/credential-state", "authorized, revoked, notFound or transferred"),
    ("GET", "/apple/auth/authorize", "Apple's web flow"),
    ("POST", "/apple/auth/token", "Apple's token endpoint"),
    ("GET", "/apple/auth/keys", "Apple's key set"),
    ("POST", "/apple/auth/revoke", "Apple's revocation endpoint"),
    ("POST", "/google/native-sign-in", "what Google's SDK answers"),
    ("GET", "/google/tokeninfo", "for whom an access token of Google's was given"),
    ("GET", "/google/.well-known/openid-configuration", "Google's discovery document"),
    ("POST", "/apple/auth/usermigrationinfo", "whom a transferred app knew"),
    ("POST", "/facebook/native-sign-in", "what Facebook's SDK answers, Limited Login too"),
    ("GET", "/facebook/graph/debug_token", "what an access token of Facebook's is good for"),
    ("GET", "/facebook/graph/me", "who signed in (DELETE …/me/permissions)"),
    ("GET", "/facebook/dialog/oauth", "Facebook's web flow"),
    ("GET", "/facebook/.well-known/oauth/openid/jwks/", "Limited Login's key set"),
    ("POST", "/oidc/native-sign-in", "tokens of the generic provider"),
    ("GET", "/oidc/.well-known/openid-configuration", "the generic provider's discovery document"),
    ("GET", "/simulator/persons", "who can sign in (POST: one more)"),
    ("GET", "/simulator/persons/{id}/apps", "which apps use the person's accounts"),
    ("POST", "/simulator/persons/{id}/withdraw-consent", "\"Stop using Apple ID\""),
    ("PUT", "/simulator/persons/{id}/apple-relay", "mail to a hidden address goes on, or not"),
    ("GET", "/simulator/faults", "what goes wrong (PUT, DELETE)"),
    ("PUT", "/simulator/issuers/{name}", "an OpenID provider of a test's own (GET, DELETE)"),
    ("PUT", "/simulator/sheets", "whether a browser that names nobody is asked (GET)"),
    ("POST", "/simulator/rotate-keys", "a new signing key"),
    ("GET", "/simulator/requests", "what was asked of the providers (DELETE)"),
    ("PUT", "/simulator/clients", "a client's secret, team, redirect URIs (GET)"),
    ("PUT", "/simulator/apple/team-keys", "a team's key, to verify its client secrets"),
    ("POST", "/simulator/apple/transfer", "an app's move to another team"),
    ("GET", "/simulator/apple/notifications", "what Apple told apps' servers (POST: one more)"),
    ("POST", "/simulator/apple/notifications/redeliver", "sends what failed again"),
    ("POST", "/simulator/reset", "back to the start"),
  ]

  private func json() throws -> Response {
    let endpoints = Self.endpoints.map { endpoint -> JSONValue in
      [
        "method": .string(endpoint.method), "path": .string(endpoint.path),
        "about": .string(endpoint.about),
      ]
    }
    return try .json([
      "name": "Gatehouse simulator", "baseURL": .string(store.baseURL),
      "endpoints": .array(endpoints),
    ])
  }
}
