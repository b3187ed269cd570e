import GatehouseProtocol
import HTTPTypes
import Testing

@Suite struct TransportTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let request: TestRequest
    var status = 400
    var error: String?
    var errorStatus: String?

    var testDescription: String { name }
  }

  static let refusals: [Row] = [
    Row(
      name: "a body that is not JSON",
      request: .accounts("signUp").with { $0.body = #"{"email": "# },
      error: "Invalid JSON payload received. unexpectedEnd at byte 10",
      errorStatus: "INVALID_ARGUMENT"),
    Row(
      name: "a body that is not an object",
      request: .accounts("signUp").with { $0.body = "[]" },
      error: "Invalid JSON payload received. notAnObject at byte 0",
      errorStatus: "INVALID_ARGUMENT"),
    Row(
      name: "a body that breaks off",
      request: .accounts("signUp").with { $0.headers[.testBrokenBody] = "1" },
      error: "The request's body can't be read.", errorStatus: "INVALID_ARGUMENT"),
    Row(
      name: "a repeated member",
      request: .accounts("signUp").with { $0.body = #"{"email":"a@example.com","email":"b"}"# },
      error: "Invalid JSON payload received. duplicateMember “email” at byte 25",
      errorStatus: "INVALID_ARGUMENT"),
    Row(
      name: "a field of the wrong type", request: .accounts("signUp", ["email": true]),
      error: "Invalid value at 'email' (TYPE_STRING)", errorStatus: "INVALID_ARGUMENT"),
    Row(
      name: "a field without a value", request: .accounts("signInWithPassword", ["password": "x"]),
      error: "MISSING_EMAIL"),
    Row(
      name: "another project named by a client",
      request: .accounts("signUp", ["targetProjectId": "other"]),
      error: "INSUFFICIENT_PERMISSION : Only authenticated requests can specify target_project_id."),
    Row(
      name: "a tenant", request: .accounts("signUp", ["tenantId": "t"]),
      error: "UNSUPPORTED_TENANT_OPERATION"),
    Row(
      name: "neither key nor credential", request: .accounts("signUp").with { $0.key = nil },
      status: 403, error: "The request is missing a valid API key.",
      errorStatus: "PERMISSION_DENIED"),
    Row(
      name: "neither, on an administrator's path",
      request: TestRequest("/v1/projects/demo/accounts:lookup", [:]).with { $0.key = nil },
      status: 403, error: "The request is missing a valid API key.",
      errorStatus: "PERMISSION_DENIED"),
    Row(
      name: "a bearer that isn't an administrator",
      request: .admin(.post, "v1/projects/demo/accounts:lookup", [:]).with { $0.bearer = "nobody" },
      status: 401,
      error: "Request had invalid authentication credentials. Expected OAuth 2 access token, login "
        + "cookie or other valid authentication credential.",
      errorStatus: "UNAUTHENTICATED"),
    Row(
      name: "an administrator's path that doesn't exist, with a key",
      request: TestRequest("/v1/projects/demo:createSessionCookie", ["idToken": "x"]), status: 401,
      error: "API keys are not supported by this API. Expected OAuth2 access token or other "
        + "authentication credentials that assert a principal.",
      errorStatus: "UNAUTHENTICATED"),
    Row(
      name: "an administrator's path of a client's method, with a key",
      request: TestRequest("/v1/projects/demo/accounts:lookup", ["localId": ["x"]]),
      error: "INSUFFICIENT_PERMISSION : Only authenticated requests can specify target_project_id."),
    Row(
      name: "an administrator's own path, with a key",
      request: TestRequest("/v1/projects/demo/accounts:batchDelete", ["localIds": ["x"]]),
      status: 401,
      error: "API keys are not supported by this API. Expected OAuth2 access token or other "
        + "authentication credentials that assert a principal.",
      errorStatus: "UNAUTHENTICATED"),
    Row(
      name: "the same with a credential",
      request: .admin(.post, "v1/projects/demo:unknown", [:]), status: 404, error: "Not Found",
      errorStatus: "NOT_FOUND"),
    Row(
      name: "an unknown path", request: .accounts("unknown"), status: 404, error: "Not Found",
      errorStatus: "NOT_FOUND"),
    Row(
      name: "another method", request: .accounts("signUp").with { $0.method = .get }, status: 404,
      error: "Not Found", errorStatus: "NOT_FOUND"),
    Row(
      name: "a body over one mebibyte",
      request: .accounts("signUp").with { $0.body = String(repeating: " ", count: 1 << 20) + "{}" },
      status: 413, error: "Request payload size exceeds the limit.",
      errorStatus: "INVALID_ARGUMENT"),
    Row(
      name: "ten thousand arrays",
      request: .accounts("signUp").with {
        $0.body = #"{"a":"# + String(repeating: "[", count: 10_000)
      }, error: "Invalid JSON payload received. tooDeep at byte 36",
      errorStatus: "INVALID_ARGUMENT"),
  ]

  @Test(arguments: refusals) func `each invalid request has its own error`(_ row: Row)
    async throws
  {
    try await TestServer.with { server in
      let reply = try await server.call(row.request.with { _ in })
      #expect(reply.status == row.status)
      #expect(reply.error == row.error)
      #expect(reply.errorStatus == row.errorStatus)
    }
  }

  /// Swift compares strings canonically, and for that it sorts accents in quadratic time.
  @Test(.timeLimit(.minutes(5)), arguments: [true, false])
  func `a grant type with half a million accents is refused at once`(isForm: Bool) async throws {
    // The order that takes Swift the longest to sort.
    let name =
      "u" + String(repeating: "\u{345}", count: 250_000)
      + String(repeating: "\u{334}", count: 250_000)
    try await TestServer.with { server in
      var request = TestRequest("/v1/token")
      request.headers[.contentType] =
        isForm ? "application/x-www-form-urlencoded" : "application/json"
      request.body = isForm ? "grant_type=\(name)" : #"{"grantType":"\#(name)"}"#
      let reply = try await server.call(request)
      #expect(reply.status == 400)
      #expect(
        reply.error
          == (isForm
            ? "INVALID_GRANT_TYPE"
            : "Invalid JSON payload received. tooManyCombiningCharacters at byte 14"))
    }
  }

  @Test func `a header may have 256 accents in a row, and not 257`() async throws {
    try await TestServer.with { server in
      func error(_ count: Int) async throws -> String? {
        var request = TestRequest.accounts("signUp", ["returnSecureToken": true])
        request.headers[.userAgent] = "e" + String(repeating: "\u{345}", count: count)
        return try await server.call(request).error
      }
      let (accepted, refused) = (try await error(256), try await error(257))
      #expect(accepted == nil)
      #expect(refused == "A header has too many combining characters in a row.")
    }
  }

  @Test(arguments: [
    "/v1/accounts:signUp", "/identitytoolkit.googleapis.com/v1/accounts:signUp",
    "/www.googleapis.com/identitytoolkit/v3/relyingparty/signupNewUser",
    "/identitytoolkit/v3/relyingparty/signupNewUser", "//v1//accounts:signUp",
  ]) func `every form of a path reaches the same endpoint`(_ path: String) async throws {
    try await TestServer.with { server in
      let reply = try await server.call(TestRequest(path, ["returnSecureToken": true]))
      #expect(reply.status == 200)
      #expect(reply["kind"] == "identitytoolkit#SignupNewUserResponse")
    }
  }

  @Test func `errors of fields have a list and no status, Secure Token's a status and no list`()
    async throws
  {
    try await TestServer.with { server in
      let field = try await server.call(.accounts("signInWithPassword"))
      #expect(field["error"]?["errors"]?.array?.first?["domain"] == "global")
      #expect(field["error"]?["errors"]?.array?.first?["reason"] == "invalid")
      #expect(field.errorStatus == nil)
      var request = TestRequest("/securetoken.googleapis.com/v1/token")
      request.headers[.contentType] = "application/x-www-form-urlencoded"
      request.body = "grant_type=refresh_token&refresh_token=garbage"
      let token = try await server.call(request)
      #expect(token.error == "INVALID_REFRESH_TOKEN")
      #expect(token.errorStatus == "INVALID_ARGUMENT")
      #expect(token["error"]?["errors"] == nil)
    }
  }

  @Test func `the key may come as a header`() async throws {
    try await TestServer.with { server in
      var request = TestRequest.accounts("signUp")
      request.key = nil
      request.headers[.testAPIKey] = "any"
      let reply = try await server.call(request)
      #expect(reply.status == 200)
    }
  }

  @Test func `every answer has a request id and forbids sniffing, framing and caching`()
    async throws
  {
    try await TestServer.with { server in
      for request in [TestRequest.accounts("signUp"), .accounts("unknown")] {
        let headers = try await server.call(request).headers
        #expect(headers[.xContentTypeOptions] == "nosniff")
        #expect(headers[.testFrameOptions] == "DENY")
        #expect(headers[.cacheControl]?.contains("no-store") == true)
        #expect(headers[.testRequestID]?.isEmpty == false)
      }
    }
  }
}
