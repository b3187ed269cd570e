import GatehouseServer
import GatehouseProtocol
import HTTPTypes
import Testing

/// A public URL with a path, behind a proxy that removes the path: URLs that the server sends
/// contain it.
@Suite struct PublicURLPathTests {
  private static let publicURL = "https://example.com/auth"

  private func withServer(_ body: (TestServer, String) async throws -> Void) async throws {
    try await TestServer.withShop(domains: ["example.com"], publicURL: Self.publicURL) {
      try await body($0, $1.apiKey)
    }
  }

  /// In the form in which the proxy forwards it.
  private func stripped(_ url: String) throws -> String {
    try #require(url.hasPrefix(Self.publicURL))
    return String(url.dropFirst(Self.publicURL.count))
  }

  @Test(arguments: ["oidc.trusted", "google.com", "apple.com"])
  func `a provider and the app get the complete URL`(_ provider: String) async throws {
    try await withServer { server, key in
      let flow = try await BrowserFlow(server, provider, ["apiKey": key])
      let redirectURI = flow.asked["redirect_uri"] ?? ""
      let arrived = try await flow.arrive(
        "state=\(flow.state)&code=c", at: try stripped(redirectURI))
      #expect(flow.cookies.first?.hasPrefix("__Host-") == true)
      #expect(arrived.link?.hasPrefix("\(Self.publicURL)/__/auth/handler?answer=") == true)
      let link = arrived.headers[.location].map { BrowserFlow.parameters($0) }?["deep_link_id"]
      #expect(link?.hasPrefix("\(Self.publicURL)/__/auth/callback?") == true)
    }
  }

  @Test(arguments: ["oidc.trusted", "apple.com"])
  func `a posted form is redirected below the path`(_ provider: String) async throws {
    try await withServer { server, key in
      let flow = try await BrowserFlow(server, provider, ["apiKey": key])
      let path = try stripped(flow.asked["redirect_uri"] ?? "")
      var request = TestRequest(path)
      request.key = nil
      request.body = "state=\(flow.state)&code=c"
      let hop = try stripped(try await server.call(request).headers[.location] ?? "")
      #expect(hop.hasPrefix("\(path)?posted="))
      let query = String(hop.dropFirst(path.count + 1))
      #expect(try await flow.arrive(query, at: path).link != nil)
    }
  }

  @Test func `a page finds its script below the path`() async throws {
    try await withServer { server, _ in
      let page = try await BrowserFlow.get(server, "", path: "/__/auth/handler/shop/oidc.plain")
      #expect(page.text.contains(#"<script src="/auth/__/auth/handler.js" defer></script>"#))
    }
  }
}
