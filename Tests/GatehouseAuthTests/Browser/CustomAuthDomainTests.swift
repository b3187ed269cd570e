import GatehouseAuth
import GatehouseCore
import Foundation
import GatehouseClient
import Testing

@Suite struct CustomAuthDomainTests {
  private let server = ScriptedServer { Date(timeIntervalSince1970: 1_800_000_000) }
  private let browser = FakeBrowser { opened in
    FakeBrowser.address([
      "eventId": opened["eventId"] ?? "", "link": "https://login.example.com/__/auth/callback",
    ])
  }
  private let app: FirebaseApp
  private let auth: Auth

  init() throws {
    app = try makeApp(
      services: AppServices(store: MemoryStore(), transport: server, browser: browser))
    auth = Auth.auth(app: app)
  }

  private func signIn(at domain: String?, authorized: [String]) async throws {
    let domains = authorized.map { "\"\($0)\"" }.joined(separator: ",")
    server.next("projects", #"{"projectId":"12345","authorizedDomains":[\#(domains)]}"#)
    auth.customAuthDomain = domain
    _ = try await OAuthProvider(providerID: "oidc.example", auth: auth).credential(with: nil)
  }

  @Test(arguments: ["login.example.com", "https://Login.example.com/", "http://login.example.com"])
  func `the browser opens the pages at the app's own domain`(domain: String) async throws {
    try await signIn(at: domain, authorized: ["localhost", "login.example.com"])
    let opened = try #require(browser.opened)
    #expect(opened.scheme == "https")
    #expect(opened.host() == "login.example.com")
    #expect(opened.path() == "/__/auth/handler")
    #expect(server.last("projects")?.text == "")
  }

  @Test func `a domain that the project doesn't authorize opens no browser`() async {
    let error = await authError {
      try await signIn(at: "login.example.com", authorized: ["localhost", "example.com"])
    }
    #expect(error?.authCode == .unauthorizedDomain)
    #expect(error?.localizedDescription.contains("login.example.com") == true)
    #expect(browser.opened == nil)
  }

  @Test(arguments: [nil, "auth.example.com"] as [String?])
  func `the server's own address needs no request`(domain: String?) async throws {
    try await signIn(at: domain, authorized: [])
    #expect(browser.opened?.host() == "auth.example.com")
    #expect(server.calls.isEmpty)
  }

  @Test func `an emulator has its own address`() async throws {
    auth.useEmulator(withHost: "localhost", port: 9099)
    try await signIn(at: "login.example.com", authorized: [])
    #expect(browser.opened?.host() == "localhost")
    #expect(server.calls.isEmpty)
  }
}
