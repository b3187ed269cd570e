import HTTPTypes
import Hummingbird
import NIOCore

/// `GET /`: what is here, for a person who points a browser or curl at the port.
struct IndexRoute: Sendable {
  let store: SimulatorStore

  func add(to router: Router<SimulatorContext>) {
    router.get("/") { request, _ in
      request.headers[.accept]?.contains("text/html") == true ? html() : try json()
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
    ("GET", "/google/.well-known/openid-configuration", "Google's discovery document"),
    ("POST", "/oidc/native-sign-in", "tokens of the generic provider"),
    ("GET", "/oidc/.well-known/openid-configuration", "the generic provider's discovery document"),
    ("GET", "/simulator/persons", "who can sign in (POST: one more)"),
    ("POST", "/simulator/persons/{id}/withdraw-consent", "\"Stop using Apple ID\""),
    ("GET", "/simulator/faults", "what goes wrong (PUT, DELETE)"),
    ("POST", "/simulator/rotate-keys", "a new signing key"),
    ("GET", "/simulator/requests", "what was asked of the providers (DELETE)"),
    ("PUT", "/simulator/clients", "a client's secret, team, redirect URIs (GET)"),
    ("PUT", "/simulator/apple/team-keys", "a team's key, to verify its client secrets"),
    ("POST", "/simulator/apple/transfer", "an app's move to another team"),
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

  private func html() -> Response {
    let rows = Self.endpoints.map { endpoint in
      let path = FormPostPage.escape(endpoint.path)
      let about = FormPostPage.escape(endpoint.about)
      return "<tr><td>\(endpoint.method)</td><td><code>\(path)</code></td><td>\(about)</td></tr>"
    }
    let page = """
      <!DOCTYPE html>
      <html lang="en">
      <head><meta charset="utf-8"><title>Gatehouse simulator</title></head>
      <body>
      <h1>Gatehouse simulator</h1>
      <p>Stand-ins for Apple, Google and an OpenID Connect provider. For tests only.</p>
      <table>
      \(rows.joined(separator: "\n"))
      </table>
      </body>
      </html>
      """
    return Response(
      status: .ok,
      headers: [
        .contentType: "text/html; charset=utf-8", .contentSecurityPolicy: "default-src 'none'",
      ],
      body: ResponseBody(byteBuffer: ByteBuffer(string: page)))
  }
}
