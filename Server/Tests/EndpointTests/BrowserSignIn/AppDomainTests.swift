import GatehouseServer
import GatehouseProtocol
import HTTPTypes
import Testing

/// The handler under an app's own domain, whose site forwards `/__/auth/` to this server.
@Suite struct AppDomainTests {
  private func withApp(_ body: (TestServer, String) async throws -> Void) async throws {
    let domains = ["app.example.com", "auth.example.com", "localhost"]
    try await TestServer.withShop(domains: domains) { try await body($0, $1.apiKey) }
  }

  private func request(_ host: String, _ path: String, _ query: String) -> TestRequest {
    var request = TestRequest(path)
    request.method = .get
    request.key = nil
    request.query = query
    request.headers[.testAuthority] = host
    return request
  }

  private func start(_ server: TestServer, _ key: String, host: String) async throws -> TestReply {
    let query = PageFlow.query(
      "signInViaRedirect", "oidc.trusted",
      ["apiKey": key, "redirectUrl": "https://app.example.com/"])
    return try await server.call(request(host, "/__/auth/handler", query))
  }

  @Test func `the provider answers at the host where the browser began`() async throws {
    try await withApp { server, key in
      let begun = try await start(server, key, host: "app.example.com")
      let asked = BrowserFlow.parameters(begun.headers[.location] ?? "")
      let path = "/__/auth/handler/shop/oidc.trusted"
      #expect(asked["redirect_uri"] == "https://app.example.com\(path)")
      #expect(begun.headers[.setCookie]?.hasPrefix("__Host-") == true)
      var arrival = request("app.example.com", path, "state=\(asked["state"] ?? "")&code=c")
      arrival.headers[.cookie] = begun.headers[.setCookie].map { String($0.prefix { $0 != ";" }) }
      let page = try await server.call(arrival)
      #expect(
        page.event?["urlResponse"]?.string?.hasPrefix(
          "https://app.example.com/__/auth/handler?answer=ghr_") == true)
    }
  }

  @Test(arguments: [
    "auth.example.com", "evil.example.com", "app.example.com.evil.example", "app.example.com:8443",
    "localhost", "app.example.com@evil.example", "APP.example.com.",
  ])
  func `any host that isn't a domain of the project means the public URL`(_ host: String)
    async throws
  {
    try await withApp { server, key in
      let begun = try await start(server, key, host: host)
      let asked = BrowserFlow.parameters(begun.headers[.location] ?? "")
      #expect(
        asked["redirect_uri"] == "https://auth.example.com/__/auth/handler/shop/oidc.trusted")
    }
  }
}
