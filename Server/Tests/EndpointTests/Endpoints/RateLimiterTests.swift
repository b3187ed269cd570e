import Foundation
import GatehouseServer
import GatehouseProtocol
import HTTPTypes
import Testing

@Suite struct RateLimiterTests {
  private static let refusal = "TOO_MANY_ATTEMPTS_TRY_LATER : Too many attempts. Try again later."

  /// A server whose project has these limits.
  private func withLimits(
    _ change: @escaping @Sendable (inout RateLimits) -> Void,
    _ body: (TestServer) async throws -> Void
  ) async throws {
    try await TestServer.with { server in
      let id = try #require(ProjectID(TestServer.project))
      _ = try await server.services.projects.projectForAdministrator(id)
      _ = try await server.services.projects.updateProject(id) { change(&$0.policies.rateLimits) }
      try await body(server)
    }
  }

  private func signIn(
    _ email: JSONValue, _ password: JSONValue = "wrong-password", from address: String? = nil
  ) -> TestRequest {
    TestRequest.accounts("signInWithPassword", ["email": email, "password": password]).with {
      if let address, let name = HTTPField.Name("x-forwarded-for") { $0.headers[name] = address }
    }
  }

  @Test func `too many wrong passwords are refused with their own error, and so is the right one`()
    async throws
  {
    try await withLimits({ $0.failuresPerAccount = 2 }) { server in
      let email: JSONValue = "ann@example.com"
      _ = try await server.call(
        .accounts("signUp", ["email": email, "password": "right-password"]))
      for expected in ["INVALID_PASSWORD", "INVALID_PASSWORD", Self.refusal] {
        #expect(try await server.call(signIn(email)).error == expected)
      }
      let reply = try await server.call(signIn(email, "right-password"))
      #expect(reply.status == 400)
      #expect(reply.error == Self.refusal)
      server.clock.advance(seconds: 601)
      #expect(try await server.call(signIn(email, "right-password")).status == 200)
    }
  }

  @Test func `behind a trusted proxy the limit applies to the client's address`() async throws {
    try await withLimits({ $0.failuresPerAddress = 2 }) { server in
      func verdict(_ number: Int, _ address: String, through proxy: String) async throws -> String?
      {
        var request = signIn(.string("nobody\(number)@example.com"), from: address)
        request.headers[.testPeer] = proxy
        return try await server.call(request).error
      }
      let proxy = TestServer.proxy
      for (number, address, expected) in [
        (0, "203.0.113.1", "EMAIL_NOT_FOUND"), (1, "203.0.113.1", "EMAIL_NOT_FOUND"),
        (2, "203.0.113.1", Self.refusal), (3, "203.0.113.2", "EMAIL_NOT_FOUND"),
        // A client can't change its address with a header that it sends itself.
        (4, "198.51.100.7, 203.0.113.1", Self.refusal),
      ] {
        #expect(try await verdict(number, address, through: proxy) == expected)
      }
      // Nor with a header if there is no proxy.
      for (number, expected) in [
        (5, "EMAIL_NOT_FOUND"), (6, "EMAIL_NOT_FOUND"), (7, Self.refusal),
      ] {
        let made = try await verdict(number, "203.0.113.\(number)", through: "192.0.2.1")
        #expect(made == expected)
      }
    }
  }

  @Test func `anonymous accounts are limited by address`() async throws {
    try await withLimits({ $0.signUpsPerAddress = 1 }) { server in
      #expect(try await server.call(.accounts("signUp")).status == 200)
      #expect(try await server.call(.accounts("signUp")).error == Self.refusal)
      // An administrator's accounts aren't limited.
      let created = try await server.call(
        .admin(.post, "v1/projects/demo/accounts", ["email": "b@example.com"]).with { _ in })
      #expect(created.status == 200)
    }
  }

  @Test func `calls to a provider are limited for each account`() async throws {
    try await withLimits({ $0.providerCallsPerAccount = 1 }) { server in
      let token = try FakeProviders.token("apple.com", ["sub": "001.a"])
      let idToken = try #require(
        try await server.call(FakeProviders.signIn("apple.com", token))["idToken"])
      func revoke(_ token: JSONValue) async throws -> TestReply {
        try await server.call(
          TestRequest(
            "/v2/accounts:revokeToken",
            [
              "providerId": "apple.com", "tokenType": "REFRESH_TOKEN", "token": token,
              "idToken": idToken,
            ]))
      }
      #expect(try await revoke("r").status == 200)
      let calls = server.providers.requests.count
      #expect(try await revoke("s").error == Self.refusal)
      #expect(server.providers.requests.count == calls)
    }
  }
}
