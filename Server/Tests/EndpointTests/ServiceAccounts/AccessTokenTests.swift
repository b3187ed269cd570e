import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens
import HTTPTypes
import Testing

@Suite struct AccessTokenEndpointTests {
  private static let grant = "urn:ietf:params:oauth:grant-type:jwt-bearer"

  private func with(
    roles: Set<ServiceAccount.Role> = [.admin], _ body: (TestServer) async throws -> Void
  ) async throws {
    try await TestServer.with(.production) { server in
      _ = try await server.makeProject()
      _ = try await server.services.serviceAccounts.create(
        try #require(EmailAddress("robot@example.com")), in: server.demo, roles: roles,
        key: try PublicKey(spkiDER: SharedKeys.provider.get().spkiDER), now: TestServer.start)
      try await body(server)
    }
  }

  private func assertion(_ change: (inout JSONObject) -> Void = { _ in }) throws -> String {
    let start = Int64(TestServer.start.timeIntervalSince1970)
    var claims: JSONObject = [
      "iss": "robot@example.com", "aud": "https://auth.example.com/token",
      "iat": .number(JSONNumber(start)), "exp": .number(JSONNumber(start + 3600)),
    ]
    change(&claims)
    let signer = RS256Signer(key: try SharedKeys.provider.get())
    return try TokenWriter(signer: signer).token(payload: claims.serialized())
  }

  /// In the format of google-auth: a form, without an API key and a bearer token.
  private func exchange(_ assertion: String?, at path: String = "/token") -> TestRequest {
    var request = TestRequest(path)
    request.key = nil
    request.headers[.contentType] = "application/x-www-form-urlencoded"
    request.body = "grant_type=\(Self.grant)" + (assertion.map { "&assertion=\($0)" } ?? "")
    return request
  }

  private func createAccount(_ bearer: String, in project: String = "demo") -> TestRequest {
    .admin(.post, "v1/projects/\(project)/accounts", [:]).with { $0.bearer = bearer }
  }

  @Test(arguments: ["/token", "/v1/token", "/securetoken.googleapis.com/v1/token"])
  func `an assertion is exchanged for an access token, which administers`(path: String)
    async throws
  {
    try await with { server in
      let reply = try await server.call(exchange(try assertion(), at: path))
      #expect(reply.status == 200)
      #expect(reply["token_type"] == "Bearer")
      #expect(reply["expires_in"] == 3600)
      let token = try #require(reply["access_token"]?.string)
      #expect(try await server.call(createAccount(token)).status == 200)
      server.clock.advance(seconds: 3600)
      #expect(try await server.call(createAccount(token)).status == 401)
    }
  }

  @Test func `JSON is accepted, too`() async throws {
    try await with { server in
      let body: JSONValue = [
        "grant_type": .string(Self.grant), "assertion": .string(try assertion()),
      ]
      let reply = try await server.call(TestRequest("/token", body).with { $0.key = nil })
      #expect(reply.status == 200)
    }
  }

  @Test func `a refusal is in OAuth's format`() async throws {
    try await with(roles: [.customTokens]) { server in
      func refusal(_ assertion: String?) async throws -> [String?] {
        let reply = try await server.call(exchange(assertion))
        #expect(reply.status == 400)
        return [reply["error"]?.string, reply["error_description"]?.string]
      }
      let unfit = try assertion { $0["aud"] = "https://example.com/token" }
      let unknown = try assertion { $0["iss"] = "other@example.com" }
      let good = try assertion()
      #expect(try await refusal(nil) == ["invalid_request", "The request has no assertion."])
      #expect(
        try await refusal(good) == [
          "invalid_grant",
          "The service account is not an administrator. Run: gatehouse service-accounts grant "
            + "EMAIL admin",
        ])
      #expect(
        try await refusal(unfit) == ["invalid_grant", "aud doesn't name this application."])
      #expect(
        try await refusal(unknown) == [
          "invalid_grant",
          "No service account has the name in iss, or its key was removed.",
        ])
    }
  }

  @Test func `every description has only the characters that OAuth allows`() {
    let allowed = Set(UInt8(0x20)...0x7E).subtracting([0x22, 0x5C])
    for code in TokenError.Code.allCases {
      #expect(code.explanation.utf8.allSatisfy { allowed.contains($0) }, "\(code)")
    }
  }

  @Test func `without a key the other grants are refused as before`() async throws {
    try await with { server in
      for body in ["grant_type=refresh_token&refresh_token=x", "grant_type=password", ""] {
        var request = exchange(nil, at: "/v1/token")
        request.body = body
        let reply = try await server.call(request)
        #expect(reply.status == 403)
        #expect(reply.errorStatus == "PERMISSION_DENIED")
      }
    }
  }

  @Test func `a viewer reads, but can't change anything or see secrets`() async throws {
    try await with { server in
      let key = try await server.services.adminKeys.create(
        for: server.demo, role: .viewer, expiresAt: nil, now: TestServer.start
      ).key.reveal()
      func status(_ method: HTTPRequest.Method, _ path: String, _ body: JSONValue? = nil)
        async throws -> Int
      {
        try await server.call(.admin(method, path, body).with { $0.bearer = key }).status
      }
      let project = "projects/demo"
      let none: JSONValue = ["localId": ["x"]]
      #expect(try await status(.post, "v1/\(project)/accounts:lookup", none) == 200)
      #expect(try await status(.get, "v1/\(project)/accounts:batchGet") == 200)
      #expect(try await status(.get, "v2/\(project)/config") == 200)
      let byBody: JSONValue = ["localId": ["x"], "targetProjectId": "demo"]
      #expect(try await status(.post, "v1/accounts:lookup", byBody) == 200)
      for (method, path) in [
        (.post, "v1/\(project)/accounts"), (.post, "v1/\(project)/accounts:update"),
        (.post, "v1/\(project)/accounts:delete"), (.post, "v1/\(project)/accounts:batchDelete"),
        (.patch, "v2/\(project)/config"), (.post, "v2/\(project)/hooks"),
        (.patch, "v2/\(project)/defaultSupportedIdpConfigs/apple.com"),
        (.post, "v1/\(project)/serviceAccounts/robot@example.com/keys:upload"),
      ] as [(HTTPRequest.Method, String)] {
        let reply = try await server.call(.admin(method, path, [:]).with { $0.bearer = key })
        #expect(reply.status == 403, "\(path)")
        #expect(reply.error?.hasPrefix("INSUFFICIENT_PERMISSION : ") == true, "\(path)")
      }
      for name in ["signUp", "update", "delete"] {
        let body: JSONValue = ["localId": "x", "targetProjectId": "demo"]
        #expect(try await status(.post, "v1/accounts:\(name)", body) == 403, "\(name)")
      }
      let made = try await server.store.read { [demo = try server.demo] in
        try $0.accounts(after: nil, limit: 10, in: demo)
      }
      #expect(made.isEmpty)
    }
  }
}
