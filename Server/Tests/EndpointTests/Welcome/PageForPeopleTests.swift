import GatehouseServer
import HTTPTypes
import Testing

/// What somebody sees who opens the server's addresses by hand.
@Suite struct PageForPeopleTests {
  private static func get(_ path: String, accept: String = "text/html,*/*;q=0.8") -> TestRequest {
    var request = TestRequest(path)
    request.method = .get
    request.key = nil
    request.headers[.accept] = accept
    return request
  }

  @Test func `a production server's root is a page that reveals nothing`() async throws {
    try await TestServer.with(.production) { server in
      let page = try await server.call(Self.get("/"))
      #expect(page.status == 200)
      #expect(page.headers[.contentType] == "text/html; charset=utf-8")
      #expect(page.headers[.contentSecurityPolicy]?.contains("default-src 'none'") == true)
      #expect(page.text.contains("<h1>Sign-in server</h1>"))
      #expect(!page.text.contains("0.1"))
    }
  }

  @Test(arguments: ["/", "/mistyped"])
  func `a program gets JSON`(_ path: String) async throws {
    try await TestServer.with(.production) { server in
      let reply = try await server.call(Self.get(path, accept: "*/*"))
      #expect(reply.status == 404)
      #expect(reply["error"]?["status"] == "NOT_FOUND")
    }
  }

  @Test(arguments: [("en", "There is nothing here"), ("de", "Hier ist nichts")])
  func `a mistyped address is a page in the reader's language`(
    _ language: String, _ heading: String
  ) async throws {
    try await TestServer.with(.production) { server in
      let page = try await server.call(
        Self.get("/mistyped").with { $0.headers[.acceptLanguage] = language })
      #expect(page.status == 404)
      #expect(page.text.contains("<h1>\(heading)</h1>"))
    }
  }

  @Test func `an administrator's path that doesn't exist stays JSON`() async throws {
    try await TestServer.with(.production) { server in
      let reply = try await server.call(Self.get("/v2/projects/demo/mistyped"))
      #expect(reply.status == 403)
      #expect(reply["error"]?["status"] == "PERMISSION_DENIED")
    }
  }

  /// A script shows it if the address has no fragment.
  @Test func `the handler without a sign-in has a text that explains itself`() async throws {
    try await TestServer.with(.production) { server in
      let page = try await server.call(Self.get("/__/auth/handler"))
      #expect(page.status == 200)
      let hidden = page.text.split(separator: "id=\"failure\" role=\"alert\" hidden").last ?? ""
      #expect(hidden.contains("<h1>This link doesn’t work</h1>"))
    }
  }
}
