import Foundation
import GatehouseServer
import GatehouseProtocol
import HTTPTypes
import Testing

/// In production only the project's own apps and domains are accepted, and the public URL is used
/// whatever a request says.
@Suite struct ProductionHandlerTests {
  private static let bundleID = "com.example.app"

  /// Runs `body` with a project that has one app.
  private func withApp(_ body: (TestServer, App) async throws -> Void) async throws {
    try await TestServer.withShop(
      domains: ["app.example.com", "auth.example.com"], bundleID: Self.bundleID, body)
  }

  private func start(
    _ server: TestServer, _ app: App, _ changes: KeyValuePairs<String, String?> = [:]
  ) async throws -> TestReply {
    var query = BrowserFlow.query("google.com", changes)
    query = query.replacing(
      "apiKey=any%2Dkey", with: "apiKey=\(app.apiKey.replacing("_", with: "%5F"))")
    return try await BrowserFlow.get(server, query)
  }

  @Test func `the project's app begins, at the public URL`() async throws {
    try await withApp { server, app in
      let reply = try await start(server, app, ["appId": app.id])
      let asked = BrowserFlow.parameters(reply.headers[.location] ?? "")
      #expect(asked["redirect_uri"] == "https://auth.example.com/__/auth/handler")
      #expect(reply.headers[.setCookie]?.hasPrefix("__Host-") == true)
    }
  }

  @Test(arguments: [("tenant", true), ("theme", false)])
  func `an app may set the parameters that the provider's configuration names`(
    _ name: String, _ isTaken: Bool
  ) async throws {
    try await withApp { server, app in
      _ = try await server.services.projects.updateProvider(.google, in: app.project) {
        $0.allowedParameters = ["tenant"]
      }
      let reply = try await start(
        server, app, ["appId": app.id, "customParameters": #"{"\#(name)":"x"}"#])
      let asked = BrowserFlow.parameters(reply.headers[.location] ?? "")
      #expect(asked[name] == (isTaken ? "x" : nil))
      #expect(reply.appError == (isTaken ? nil : "auth/argument-error"))
    }
  }

  @Test(arguments: [
    ["ibi": "com.example.other"], ["appId": "1:77:ios:0000000000000000"],
    ["clientId": "9-z.apps.example.com"], ["redirectUrl": "https://evil.example.com/"],
    ["redirectUrl": "http://127.0.0.1:4321/"], ["redirectUrl": "http://localhost:4321/"],
    ["redirectUrl": "http://app.example.com/"], ["redirectUrl": "com.evil.app://x/"],
  ])
  func `an address that the project doesn't list is refused`(_ fields: [String: String])
    async throws
  {
    try await withApp { server, app in
      let (name, value) = try #require(fields.first)
      let page = try await start(server, app, .init(dictionaryLiteral: (name, value)))
      #expect(page.status == 400)
      #expect(page.heading == "Sign-in isn’t set up yet")
      #expect(page.headers[.location] == nil)
    }
  }

  private static let listed = [
    "https://app.example.com/done", "https://app.example.com/done?tab=1", "com.example.app:/done",
    "https://other.example.com/done",
  ]

  private func list(_ addresses: [String], _ server: TestServer) async throws {
    _ = try await server.services.projects.updateProject(try #require(ProjectID("shop"))) {
      $0.policies.redirectURLs = addresses
    }
  }

  @Test(arguments: listed)
  func `an address is accepted only if the project lists it`(_ url: String) async throws {
    try await withApp { server, app in
      let refused = try await start(server, app, ["redirectUrl": url, "ibi": nil])
      #expect(refused.heading == "Sign-in isn’t set up yet")
      try await list(Self.listed, server)
      let reply = try await start(server, app, ["redirectUrl": url, "ibi": nil])
      #expect(reply.status == 303)
    }
  }

  @Test(arguments: [
    "https://app.example.com/done/", "https://app.example.com/Done",
    "https://app.example.com/done?to=https://evil.example.com/", "https://app.example.com/",
    "https://app.example.com:8443/done", "https://app.example.com/done?", "com.example.app:/done2",
    "https://app.example.com/x/../done", "HTTPS://app.example.com/done",
    "https://app.example.com/redirect/__/auth/callback",
    "https://other.example.com/__/auth/callback",
  ])
  func `an address that is nearly the listed one is refused`(_ url: String) async throws {
    try await withApp { server, app in
      try await list(Self.listed, server)
      let page = try await start(server, app, ["redirectUrl": url, "ibi": nil])
      #expect(page.status == 400)
      #expect(page.headers[.location] == nil)
    }
  }

  @Test(arguments: [
    "https://auth.example.com/__/auth/callback?ibi=com.example.app",
    "https://app.example.com/__/auth/callback", "com.example.app://firebaseauth/link",
  ])
  func `an app's link and its own scheme need no listing`(_ url: String) async throws {
    try await withApp { server, app in
      let reply = try await start(server, app, ["redirectUrl": url, "ibi": nil])
      #expect(reply.status == 303)
    }
  }

  @Test func `a desktop program may listen on any loopback port if the project allows loopback`()
    async throws
  {
    try await TestServer.withShop(domains: ["localhost"], bundleID: Self.bundleID) { server, app in
      for url in ["http://127.0.0.1:4321/a/b", "http://localhost:61000/"] {
        let reply = try await start(server, app, ["redirectUrl": url, "ibi": nil])
        #expect(reply.status == 303)
      }
    }
  }

  @Test func `an unknown key shows a page`() async throws {
    try await withApp { server, _ in
      let page = try await BrowserFlow.start(server, "google.com")
      #expect(page.heading == "Sign-in isn’t set up yet")
      #expect(page.text.contains("apiKey names no project of this server."))
    }
  }

  @Test(arguments: [("person", false), ("login_hint", true), ("prompt", true), ("claims", false)])
  func `apps may set only the listed parameters`(_ name: String, _ isAllowed: Bool) async throws {
    try await withApp { server, app in
      let reply = try await start(server, app, ["customParameters": "{\"\(name)\":\"x\"}"])
      #expect((reply.appError == nil) == isAllowed)
      if !isAllowed { #expect(reply.appError == "auth/argument-error") }
    }
  }

  @Test func `the emulator's paths don't exist`() async throws {
    try await withApp { server, app in
      let reply = try await BrowserFlow.get(
        server, BrowserFlow.query("google.com"), path: "/emulator/auth/handler")
      #expect(reply.status == 404)
    }
  }
}
