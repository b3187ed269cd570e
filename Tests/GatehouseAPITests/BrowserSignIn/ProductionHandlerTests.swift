import Foundation
import GatehouseAccounts
import GatehouseModel
import HTTPTypes
import Testing

/// In production only the project's own apps and domains, and the public URL whatever a request says.
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

  @Test(arguments: [
    ["ibi": "com.example.other"], ["appId": "1:77:ios:0000000000000000"],
    ["clientId": "9-z.apps.example.com"], ["redirectUrl": "https://evil.example.com/"],
    ["redirectUrl": "http://127.0.0.1:4321/"], ["redirectUrl": "http://localhost:4321/"],
    ["redirectUrl": "http://app.example.com/"], ["redirectUrl": "com.evil.app://x/"],
  ])
  func `what the project doesn't name is refused`(_ fields: [String: String]) async throws {
    try await withApp { server, app in
      let (name, value) = try #require(fields.first)
      let page = try await start(server, app, .init(dictionaryLiteral: (name, value)))
      #expect(page.status == 400)
      #expect(page.heading == "Sign-in isn’t set up yet")
      #expect(page.headers[.location] == nil)
    }
  }

  @Test(arguments: ["https://app.example.com/done", "com.example.app:/done"])
  func `what the project names is taken`(_ url: String) async throws {
    try await withApp { server, app in
      let reply = try await start(server, app, ["redirectUrl": url, "ibi": nil])
      #expect(reply.status == 303)
    }
  }

  @Test func `a key of no project shows a page`() async throws {
    try await withApp { server, _ in
      let page = try await BrowserFlow.start(server, "google.com")
      #expect(page.heading == "Sign-in isn’t set up yet")
      #expect(page.text.contains("apiKey names no project of this server."))
    }
  }

  @Test(arguments: [("person", false), ("login_hint", true), ("prompt", true), ("claims", false)])
  func `apps set what is on the list, and nothing else`(
    _ name: String, _ isAllowed: Bool
  ) async throws {
    try await withApp { server, app in
      let reply = try await start(server, app, ["customParameters": "{\"\(name)\":\"x\"}"])
      #expect((reply.appError == nil) == isAllowed)
      if !isAllowed { #expect(reply.appError == "auth/argument-error") }
    }
  }

  @Test func `the emulator's addresses aren't there`() async throws {
    try await withApp { server, app in
      let reply = try await BrowserFlow.get(
        server, BrowserFlow.query("google.com"), path: "/emulator/auth/handler")
      #expect(reply.status == 404)
    }
  }
}
