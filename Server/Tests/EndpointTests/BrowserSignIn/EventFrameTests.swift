import Foundation
import GatehouseServer
import GatehouseProtocol
import HTTPTypes
import Testing

/// The frame in an app's page, and the scripts.
@Suite struct EventFrameTests {
  private func get(
    _ server: TestServer, _ query: String, path: String = "/__/auth/iframe"
  ) async throws -> TestReply {
    try await BrowserFlow.get(server, query, path: path)
  }

  private func ancestors(_ reply: TestReply) -> String? {
    reply.headers[.contentSecurityPolicy]?.components(separatedBy: "frame-ancestors ").last
  }

  @Test(arguments: ["/__/auth/iframe", "/emulator/auth/iframe"])
  func `the project's pages may contain the frame, on this machine at any port`(_ path: String)
    async throws
  {
    try await TestServer.with { server in
      let frame = try await get(
        server, "apiKey=k&appName=%5BDEFAULT%5D&v=12.18.0&eid=p", path: path)
      #expect(frame.status == 200)
      #expect(
        ancestors(frame)
          == "https://localhost:* http://localhost:* https://127.0.0.1:* http://127.0.0.1:*")
      #expect(frame.headers[.testFrameOptions] == nil)
      #expect(frame.headers[.cacheControl] == "no-store")
      // Opened as a window, it has no opener.
      #expect(frame.headers[.testOpenerPolicy] == "same-origin")
      #expect(frame.scripts == [#"<script src="/__/auth/iframe.js" defer>"#])
      // It contains nothing from the request.
      #expect(!frame.text.contains("DEFAULT"))
    }
  }

  @Test func `in production only authorized domains may contain it, over https`() async throws {
    let domains = [
      "app.example.com", "evil.example.com https://x", "*.example.com", "*", "https:",
    ]
    try await TestServer.withShop(domains: domains) { server, app in
      let frame = try await get(server, "apiKey=\(app.apiKey)&appName=a")
      #expect(ancestors(frame) == "https://app.example.com:*")
      #expect(try await get(server, "", path: "/emulator/auth/iframe").status == 404)
      for query in ["apiKey=made-up&appName=a", "appName=a", "apiKey=\(app.apiKey)&apiKey=x"] {
        let refused = try await get(server, query)
        #expect(refused.status == 400)
        #expect(ancestors(refused) == "'none'")
      }
    }
  }

  @Test func `without domains no page may contain it`() async throws {
    try await TestServer.withShop(domains: []) { server, app in
      let frame = try await get(server, "apiKey=\(app.apiKey)&appName=a")
      #expect(ancestors(frame) == "'none'")
    }
  }

  @Test func `Google's script is allowed only where the page uses it`() async throws {
    try await TestServer.with { server in
      let policy = { (query: String) async throws -> String in
        let frame = try await self.get(server, "apiKey=k&appName=a\(query)")
        return frame.headers[.contentSecurityPolicy] ?? ""
      }
      let own = try await policy("&gatehouse=1")
      let googles = try await policy("")
      #expect(
        own.hasPrefix(
          "default-src 'none'; script-src 'self'; base-uri 'none'; form-action 'none'; "))
      #expect(
        googles.hasPrefix("default-src 'none'; script-src 'self' https://apis.google.com; base-uri")
      )
    }
  }

  @Test(arguments: [
    ("handler", "same-origin"), ("popup", "same-origin"), ("redirect", "same-origin"),
    ("iframe", "same-origin"), ("gapi", "cross-origin"),
  ])
  func `scripts are files of the server`(_ name: String, _ policy: String) async throws {
    try await TestServer.with { server in
      let script = try await get(server, "", path: "/__/auth/\(name).js")
      #expect(script.status == 200)
      #expect(script.headers[.contentType] == "text/javascript; charset=utf-8")
      #expect(script.headers[.cacheControl] == "public, max-age=300, must-revalidate")
      #expect(script.headers[.testResourcePolicy] == policy)
      #expect(script.headers[.accessControlAllowOrigin] == (name == "gapi" ? "*" : nil))
      #expect(script.text.contains(#""use strict";"#))
    }
  }
}

extension HTTPField.Name {
  static let testResourcePolicy = HTTPField.Name("cross-origin-resource-policy") ?? .age
}
