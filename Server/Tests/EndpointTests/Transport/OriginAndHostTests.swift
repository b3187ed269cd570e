import HTTPTypes
import Testing

@Suite struct OriginAndHostTests {
  private static let page = "https://app.example.com"

  private func preflight(_ path: String, _ headers: String) -> TestRequest {
    var request = TestRequest(path)
    request.method = .options
    request.key = nil
    request.headers[.origin] = Self.page
    request.headers[.accessControlRequestMethod] = "POST"
    request.headers[.accessControlRequestHeaders] = headers
    return request
  }

  @Test func `a preflight of a client's endpoint reflects origin and headers`() async throws {
    try await TestServer.with { server in
      let reply = try await server.call(
        preflight("/v1/accounts:signInWithIdp", "content-type,x-client-version"))
      #expect(reply.status == 204)
      #expect(reply.headers[.accessControlAllowOrigin] == Self.page)
      #expect(reply.headers[.accessControlAllowHeaders] == "content-type,x-client-version")
    }
  }

  @Test func `a preflight never grants Authorization`() async throws {
    try await TestServer.with { server in
      let reply = try await server.call(
        preflight("/v1/accounts:update", "content-type, Authorization"))
      #expect(reply.headers[.accessControlAllowHeaders] == "content-type")
    }
  }

  @Test(arguments: [
    "/v1/projects/demo/accounts:lookup", "/v2/projects/demo/config",
    "/emulator/v1/projects/demo/accounts", "/v2/projects/demo/unknown",
  ]) func `an administrator's path allows no other origin`(_ path: String) async throws {
    for mode in [TestServer.Mode.development, .production] {
      try await TestServer.with(mode) { server in
        let reply = try await server.call(preflight(path, "content-type"))
        #expect(reply.headers[.accessControlAllowOrigin] == nil)
        #expect(reply.status == (mode == .development ? 403 : 204))
      }
    }
  }

  @Test func `in development a page of this machine may administer`() async throws {
    try await TestServer.with { server in
      let own = preflight("/emulator/v1/projects/demo/accounts", "authorization, content-type")
        .with {
          $0.headers[.origin] = "http://localhost:3000"
          $0.headers[.accessControlRequestMethod] = "DELETE"
        }
      let reply = try await server.call(own)
      #expect(reply.status == 204)
      #expect(reply.headers[.accessControlAllowOrigin] == "http://localhost:3000")
      #expect(reply.headers[.accessControlAllowHeaders] == "authorization,content-type")
      #expect(reply.headers[.accessControlAllowMethods]?.contains("DELETE") == true)
      let other = try await server.call(own.with { $0.headers[.origin] = Self.page })
      #expect(other.status == 403)
      #expect(other.headers[.accessControlAllowHeaders] == nil)
    }
    try await TestServer.with(.production) { server in
      let reply = try await server.call(
        preflight("/v2/projects/demo/config", "authorization").with {
          $0.headers[.origin] = "http://localhost:3000"
        })
      #expect(reply.headers[.accessControlAllowOrigin] == nil)
    }
  }

  @Test func `a page on the internet may call a development server only where CORS lets it`()
    async throws
  {
    let asked = HTTPField.Name("access-control-request-private-network") ?? .age
    let granted = HTTPField.Name("access-control-allow-private-network") ?? .age
    try await TestServer.with { server in
      let client = preflight("/v1/accounts:signUp", "content-type")
      let reply = try await server.call(client.with { $0.headers[asked] = "true" })
      #expect(reply.headers[granted] == "true")
      // Only a browser that asks gets the header.
      #expect(try await server.call(client).headers[granted] == nil)
      let administrators = preflight("/v1/projects/demo/accounts:lookup", "content-type")
      let refused = try await server.call(administrators.with { $0.headers[asked] = "true" })
      #expect(refused.status == 403)
      #expect(refused.headers[granted] == nil)
      let own = administrators.with {
        $0.headers[.origin] = "http://localhost:3000"
        $0.headers[asked] = "true"
      }
      #expect(try await server.call(own).headers[granted] == "true")
    }
    try await TestServer.with(.production) { server in
      let reply = try await server.call(
        preflight("/v1/accounts:signUp", "content-type").with { $0.headers[asked] = "true" })
      #expect(reply.headers[.accessControlAllowOrigin] == Self.page)
      #expect(reply.headers[granted] == nil)
    }
  }

  @Test func `a client's answer and its errors can be read by a page`() async throws {
    try await TestServer.with { server in
      for method in ["signUp", "signInWithPassword"] {
        let reply = try await server.call(
          .accounts(method).with { $0.headers[.origin] = Self.page })
        #expect(reply.headers[.accessControlAllowOrigin] == Self.page)
        #expect(reply.headers[.vary] == "Origin")
      }
    }
  }

  @Test(arguments: [
    (page, 403), ("null", 403), ("https://localhost.example.com", 403), ("http://127.0.0.1.x", 403),
    ("http://localhost:3000", 200), ("http://127.0.0.1", 200), ("http://[::1]:8080", 200),
  ]) func `in development an administrator's call is refused to other machines' pages`(
    _ origin: String, _ status: Int
  ) async throws {
    try await TestServer.with { server in
      let requests = [
        TestRequest.admin(.post, "v1/projects/demo/accounts", [:]),
        .admin(.delete, "emulator/v1/projects/demo/accounts").with { $0.bearer = nil },
        .accounts("signUp").with { $0.bearer = "owner" },
      ]
      for request in requests {
        let reply = try await server.call(request.with { $0.headers[.origin] = origin })
        #expect(reply.status == status, "\(request.path)")
        let granted = reply.headers[.accessControlAllowOrigin]
        #expect(granted == (status == 200 ? origin : nil), "\(request.path)")
      }
    }
  }

  @Test(arguments: [
    ("localhost", 200), ("localhost:9099", 200), ("127.0.0.1:9099", 200), ("[::1]:9099", 200),
    ("x.localhost", 200), ("allowed.example.com:9099", 200), ("ALLOWED.example.com", 200),
    ("evil.example.com", 403), ("127.0.0.1.evil.example.com", 403), ("localhost.evil.com", 403),
    ("evil@localhost", 403), ("127.0.0.256", 403), ("", 403),
  ]) func `in development another host name is refused everywhere`(_ host: String, _ status: Int)
    async throws
  {
    try await TestServer.with { server in
      for request in [
        TestRequest.accounts("signUp"), TestRequest("/livez").with { $0.method = .get },
      ] {
        let reply = try await server.call(request.with { $0.headers[.testAuthority] = host })
        #expect(reply.status == status)
      }
    }
  }
}
