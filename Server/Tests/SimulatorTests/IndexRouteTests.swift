import HTTPTypes
import Testing

@Suite struct IndexRouteTests {
  /// The endpoints as lines of a method and a path, and their descriptions.
  private func index(_ client: SimulatorClient) async throws -> [String: String] {
    let endpoints = try await client.get("/").json.objects("endpoints")
    let lines = endpoints.map { endpoint in
      let (method, path) = (endpoint.string("method") ?? "", endpoint.string("path") ?? "")
      return ("\(method) \(path)", endpoint.string("about") ?? "")
    }
    return Dictionary(lines) { first, _ in
      Issue.record("An endpoint is listed twice.")
      return first
    }
  }

  @Test(arguments: [
    "GET /simulator/persons/{id}", "DELETE /simulator/persons/{id}", "POST /simulator/persons",
    "DELETE /simulator/faults", "GET /simulator/sheets", "DELETE /simulator/issuers/{name}",
    "GET /simulator/issuers", "POST /simulator/apple/notifications",
    "GET /facebook/.well-known/openid-configuration",
    "GET /facebook/.well-known/oauth/openid/jwks", "GET /facebook/graph/oauth/access_token",
    "DELETE /facebook/graph/me/permissions", "DELETE /facebook/graph/{version}/permissions",
    "GET /google/o/oauth2/v2/auth", "POST /google/token", "POST /google/o/oauth2/revoke",
    "GET /google/oauth2/v3/tokeninfo", "GET /oidc/jwks", "POST /oidc/{issuer}/token",
    "DELETE /github/api/applications/{client_id}/token", "POST /microsoft/oidc/userinfo",
    "POST /apple/auth/usermigrationinfo",
  ])
  func `an endpoint is listed with a description`(_ endpoint: String) async throws {
    try await withSimulator { client in
      let about = try await index(client)[endpoint]
      #expect(about?.isEmpty == false)
    }
  }

  @Test func `an endpoint without a description is listed, too`() async throws {
    try await withSimulator { client in
      let index = try await index(client)
      for endpoint in [
        "GET /facebook/graph/{version}/picture", "POST /apple/sheet", "POST /simulator/page/reset",
      ] {
        #expect(index[endpoint]?.isEmpty == true)
      }
      let page = try await client.get("/", headers: [.accept: "text/html"])
      #expect(page.text.contains("/facebook/graph/{version}/picture"))
    }
  }

  @Test(arguments: ["google", "facebook", "oidc"])
  func `the endpoints of a discovery document are listed`(provider: String) async throws {
    try await withSimulator { client in
      let document = try await client.get("/\(provider)/.well-known/openid-configuration").json
      let listed = try await index(client).keys.compactMap {
        $0.split(separator: " ").last.map(String.init)
      }
      let urls = document.names.compactMap(document.string).filter {
        $0.hasPrefix(client.baseURL + "/\(provider)/")
      }
      #expect(urls.count >= 3)
      for url in urls {
        // The router ignores a slash at the end.
        let path = url.dropFirst(client.baseURL.count).split(separator: "/").joined(separator: "/")
        #expect(listed.contains("/\(path)"))
      }
    }
  }
}
