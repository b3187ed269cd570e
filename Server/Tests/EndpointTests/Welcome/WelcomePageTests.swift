import Foundation
import GatehouseProtocol
import GatehouseServer
import HTTPTypes
import Testing

/// The welcome page: it exists only in `--dev`, and is safe from the data that it shows.
@Suite struct WelcomePageTests {
  private static func get(_ path: String, query: String? = nil) -> TestRequest {
    var request = TestRequest(path)
    request.method = .get
    request.key = nil
    request.query = query
    request.headers[.accept] = "text/html,application/xhtml+xml,*/*;q=0.8"
    return request
  }

  /// The data that the page gives to its scripts.
  private static func data(_ page: TestReply) throws -> JSONValue {
    let block = try #require(
      page.text.firstMatch(of: /(?s)<script type="application\/json" id="data">(.*?)<\/script>/))
    return try JSONValue(parsing: String(block.1))
  }

  private static func save(
    _ server: TestServer, _ change: @escaping @Sendable (inout ProviderConfiguration) -> Void
  ) async throws {
    _ = try await server.call(get("/"))
    let project = try #require(ProjectID(TestServer.project))
    let id = try #require(ProviderID("oidc.plain"))
    _ = try await server.services.projects.updateProvider(id, in: project, change)
  }

  @Test(arguments: [nil, "*/*", "application/json"])
  func `a client that asks for no HTML is told that the server is ready`(_ accept: String?)
    async throws
  {
    try await TestServer.with { server in
      let reply = try await server.call(Self.get("/").with { $0.headers[.accept] = accept })
      #expect(reply.status == 200)
      #expect(reply["authEmulator"]?["ready"] == true)
      #expect(reply["authEmulator"]?["docs"]?.string?.hasPrefix("https://") == true)
      #expect(reply["authEmulator"]?["apiSpec"]?.string?.hasPrefix("https://") == true)
      #expect(reply.headers[.vary] == "Accept")
    }
    try await TestServer.with(.production) { server in
      let reply = try await server.call(Self.get("/").with { $0.headers[.accept] = accept })
      #expect(reply.status == 404)
    }
  }

  @Test func `it offers the project's enabled providers`() async throws {
    try await TestServer.with { server in
      try await Self.save(server) { $0.isEnabled = false }
      let page = try await server.call(Self.get("/"))
      #expect(page.status == 200)
      #expect(page.headers[.contentType] == "text/html; charset=utf-8")
      let data = try Self.data(page)
      let providers = data["providers"]?.array ?? []
      #expect(
        providers.map { $0["id"]?.string } == [
          "apple.com", "facebook.com", "google.com", "oidc.trusted",
        ])
      #expect(
        providers.map { $0["name"]?.string } == ["Apple", "Facebook", "Google", "oidc.trusted"])
      #expect(data["project"] == "demo")
      #expect(data["simulator"] == nil)
      #expect(data["recentSignInSeconds"] == 300)
    }
  }

  @Test func `only the server's files run there, and no page may frame it`() async throws {
    try await TestServer.with { server in
      let page = try await server.call(Self.get("/"))
      #expect(
        page.headers[.contentSecurityPolicy]
          == "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
          + "img-src 'self' https:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
          + "require-trusted-types-for 'script'; trusted-types 'none'")
      #expect(page.headers[.testFrameOptions] == "DENY")
      #expect(page.headers[.cacheControl] == "no-store")
      #expect(page.headers[.referrer] == "no-referrer")
      for forbidden in [" style=", " onclick=", "<style", "javascript:", "=\"http"] {
        #expect(!page.text.contains(forbidden), "\(forbidden)")
      }
      let inline = page.text.matches(of: /<script(?![^>]* src=)([^>]*)>/).map { String($0.1) }
      #expect(inline == [#" type="application/json" id="data""#])
    }
  }

  @Test(arguments: [
    "</script><script>alert(1)</script>", "<!--<script>", "\" onload=\"x", "{{@data}}", "a&lt;b",
    "\u{2028}\u{202E}\u{7F}",
  ]) func `a provider's name stays text`(_ name: String) async throws {
    try await TestServer.with { server in
      let plain = try await server.call(Self.get("/"))
      try await Self.save(server) { $0.displayName = name }
      let page = try await server.call(Self.get("/"))
      let names = try Self.data(page)["providers"]?.array?.map { $0["name"]?.string }
      #expect(names?.contains(name) == true)
      let tags = { (text: String) in text.matches(of: /<[a-z\/!][a-z-]*/).map { String($0.0) } }
      #expect(tags(page.text) == tags(plain.text))
    }
  }

  @Test func `every file that it names exists, with the right type`() async throws {
    try await TestServer.with { server in
      let page = try await server.call(Self.get("/"))
      var names = page.text.matches(of: /(?:src|href)="(\/__\/welcome\/[^"]+)"/)
        .map { String($0.1) }
      var seen: Set<String> = []
      while let path = names.popLast() {
        guard seen.insert(path).inserted else { continue }
        let file = try await server.call(Self.get(path))
        #expect(file.status == 200, "\(path)")
        let type = (file.headers[.contentType] ?? "").prefix { $0 != ";" }
        switch path.split(separator: ".").last {
        case "js": #expect(type == "text/javascript")
        case "css": #expect(type == "text/css")
        default: #expect(type == "image/svg+xml")
        }
        names += file.text.matches(of: /from "\.\/([a-z-]+\.js)"/)
          .map { "/__/welcome/\($0.1)" }
      }
      #expect(seen.count == 16)
    }
  }

  @Test(arguments: ["en", "de", "vi"])
  func `it is completely in the user's language`(_ language: String) async throws {
    try await TestServer.with { server in
      let page = try await server.call(Self.get("/", query: "hl=\(language)"))
      #expect(page.text.contains("<html lang=\"\(language)\""))
      #expect(!page.text.contains("{{"))
      let own = try Self.texts(language)
      let english = try Self.texts("en")
      #expect(own.members.map(\.name) == english.members.map(\.name))
      for member in own.members {
        #expect(
          Self.placeholders(member.value.string)
            == Self.placeholders(english[member.name]?.string), "\(member.name)")
      }
    }
  }

  private static func texts(_ language: String) throws -> JSONObject {
    let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
      url.deletingLastPathComponent()
    }
    let file = root.appendingPathComponent(
      "Sources/GatehouseServer/Browser/Welcome/Assets/texts.\(language).json")
    return try JSONObject(parsing: [UInt8](Data(contentsOf: file)))
  }

  private static func placeholders(_ text: String?) -> Set<String> {
    Set((text ?? "").matches(of: /\{\w+\}/).map { String($0.0) })
  }

  @Test(arguments: ["/__/welcome/main.js", "/__/welcome/welcome.css"])
  func `in production the page doesn't exist`(_ path: String) async throws {
    try await TestServer.with(.production) { server in
      let reply = try await server.call(Self.get(path).with { $0.headers[.accept] = "*/*" })
      #expect(reply.status == 404)
      #expect(reply.headers[.contentType] == "application/json; charset=utf-8")
    }
  }

  @Test(arguments: [
    "//", "/identitytoolkit.googleapis.com", "/identitytoolkit.googleapis.com/",
    "/" + String(repeating: "a", count: 2000), "/__/welcome/", "/__/welcome/index.html",
    "/__/welcome/texts.en.json",
  ]) func `other paths aren't the page`(_ path: String) async throws {
    try await TestServer.with { server in
      let reply = try await server.call(Self.get(path))
      #expect(reply.status == 404)
    }
  }

  @Test func `another site's page can't read it, and another host name is refused`() async throws {
    try await TestServer.with { server in
      let read = try await server.call(
        Self.get("/").with { $0.headers[.origin] = "https://evil.example.com" })
      #expect(read.headers[.accessControlAllowOrigin] == nil)
      let rebound = try await server.call(
        Self.get("/").with { $0.headers[.testAuthority] = "evil.example.com" })
      #expect(rebound.status == 403)
    }
  }
}
