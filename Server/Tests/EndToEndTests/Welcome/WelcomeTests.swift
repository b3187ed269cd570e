import Foundation
import Testing

/// The welcome page of a real server: served in `--dev`, and a sign-in returns to it.
@Suite(.developmentServer) struct WelcomeTests {
  @Test func `it offers each simulated provider and links the simulator`() async throws {
    let server = try suiteServer()
    let page = try await HTTP.get(
      server.baseURL + "/", headers: [("accept", "text/html")])
    #expect(page.status == 200)
    #expect(page.header("content-type") == "text/html; charset=utf-8")
    for provider in ["apple.com", "google.com", "facebook.com", "oidc.simulator"] {
      #expect(page.text.contains(#""id":"\#(provider)""#))
    }
    #expect(page.text.contains(server.simulatorURL))
    #expect(page.header("content-security-policy")?.contains(server.simulatorURL) == true)
    #expect(server.process.output.contains("Open \(server.baseURL)/ in a browser"))
  }

  @Test func `a sign-in returns to it with a link to redeem`() async throws {
    let server = try suiteServer()
    let person = try await server.providers.person()
    var app = NativeApp(server: server)
    app.query = [("redirectUrl", server.baseURL + "/?hl=vi"), ("hl", "vi")]
    let handler = app.url("apple.com", parameters: ["person": person])
    let browser = Browser()
    let end = try await browser.open(handler, within: [server.baseURL, server.simulatorURL])
    guard case .page(let page) = end else { throw Unreachable(what: "the page: \(end)") }
    #expect(page.status == 200)
    #expect(page.text.contains("<html lang=\"vi\""))
  }

  @Test func `production has no such page`() async throws {
    try await Production.with { _, server, _ in
      for path in ["/", "/__/welcome/main.js"] {
        let reply = try await HTTP.get(server.baseURL + path)
        #expect(reply.status == 404)
      }
    }
  }
}
