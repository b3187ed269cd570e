@testable import GatehouseServer
import GatehouseProtocol
import HTTPTypes
import Hummingbird
import NIOCore
import Testing

/// Who may call what, tested at the one type that decides it. ``ProductionCallerTests`` tests the
/// same through requests.
@Suite struct CallerIdentificationTests {
  private struct Asked {
    var path = "/v1/projects/demo/accounts:query"
    var access = Route.Access.administrator
    var role = AdministratorRole.administrator
    var query = ""
    var headers = HTTPFields()
    var body: JSONObject = JSONObject()

    init(_ access: Route.Access, _ change: (inout Asked) -> Void = { _ in }) {
      self.access = access
      change(&self)
    }

    var route: Route {
      Route(
        method: .post, pattern: RequestPath(path).pattern, name: "test", access: access, role: role,
        envelope: .identityToolkit
      ) { _ in Answer(json: []) }
    }

    var request: Request {
      Request(
        head: HTTPRequest(
          method: .post, scheme: "https", authority: "auth.example.com", path: path,
          headerFields: headers),
        body: RequestBody(buffer: ByteBuffer()))
    }
  }

  private static let key = "AIzaDemo"

  private func identification(_ server: TestServer, _ mode: TestServer.Mode) throws
    -> CallerIdentification
  {
    CallerIdentification(
      services: server.services,
      configuration: APIConfiguration(
        mode: mode == .development
          ? .development(
            .init(defaultProject: try #require(ProjectID("demo")), allowedHosts: []))
          : .production,
        publicURL: "https://auth.example.com/"), isDevelopers: mode == .development)
  }

  private func credential(
    _ asked: Asked, _ server: TestServer, _ mode: TestServer.Mode = .production
  ) throws -> CallerIdentification.Credential {
    try identification(server, mode).credential(
      of: asked.request, asked.route, FormFields(asked.query))
  }

  private func establish(
    _ asked: Asked, _ server: TestServer, _ mode: TestServer.Mode = .production
  ) async throws -> CallerIdentification.Established {
    try await identification(server, mode).establish(
      credential(asked, server, mode), asked.route, RequestPath(asked.path),
      FormFields(asked.query), WireFields(asked.body), now: TestServer.start)
  }

  /// A production server with the projects `demo` and `other`, a key of `demo`, and administrators.
  private func with(
    _ body: (TestServer, _ admin: String, _ viewer: String) async throws -> Void
  ) async throws {
    try await TestServer.with(.production) { server in
      for name in ["demo", "other"] {
        let id = try #require(ProjectID(name))
        try await server.store.write { transaction in
          try transaction.save(
            Project(
              id: id, number: 1, issuer: "https://auth.example.com/\(name)", authorizedDomains: [],
              policies: .development))
        }
      }
      let demo = try #require(ProjectID("demo"))
      try await server.store.write { transaction in
        try transaction.insert(APIKey(text: Self.key, project: demo))
      }
      let (admin, _) = try await server.services.adminKeys.create(
        for: demo, expiresAt: nil, now: TestServer.start)
      let (viewer, _) = try await server.services.adminKeys.create(
        for: demo, role: .viewer, expiresAt: nil, now: TestServer.start)
      try await body(server, admin.reveal(), viewer.reveal())
    }
  }

  private static func bearer(_ token: String) -> HTTPFields { [.authorization: "Bearer \(token)"] }

  @Test func `a key is read from the query or a header, and a bearer token takes precedence`()
    async throws
  {
    try await TestServer.with(.production) { server in
      let inQuery = try credential(
        Asked(.client) {
          $0.query = "key=one"
          $0.headers[.googleAPIKey] = "two"
        }, server)
      guard case .apiKey("one") = inQuery else { return #expect(Bool(false), "\(inQuery)") }
      let inHeader = try credential(
        Asked(.client) {
          $0.query = "key="
          $0.headers[.googleAPIKey] = "two"
        }, server)
      guard case .apiKey("two") = inHeader else { return #expect(Bool(false), "\(inHeader)") }
      let both = try credential(
        Asked(.client) {
          $0.query = "key=one"
          $0.headers = [.authorization: "bEARER token"]
        }, server)
      guard case .bearer(let token, apiKey: "one") = both else {
        return #expect(Bool(false), "\(both)")
      }
      #expect(token.reveal() == "token")
    }
  }

  @Test(arguments: ["Basic token", "Bearer", "Bearer ", "Token token"])
  func `another scheme, or an empty token, is no credential`(_ header: String) async throws {
    try await TestServer.with(.production) { server in
      #expect(throws: APIError.missingAPIKey) {
        try credential(Asked(.client) { $0.headers = [.authorization: header] }, server)
      }
    }
  }

  @Test func `a header of more than 8192 bytes is no credential`() async throws {
    try await TestServer.with(.production) { server in
      func asked(_ bytes: Int) -> Asked {
        Asked(.client) {
          $0.headers = Self.bearer(String(repeating: "a", count: bytes - "Bearer ".utf8.count))
        }
      }
      _ = try credential(asked(8192), server)
      #expect(throws: APIError.missingAPIKey) { try credential(asked(8193), server) }
    }
  }

  @Test func `an administrator's path refuses an API key, before the body is read`() async throws {
    try await TestServer.with(.production) { server in
      #expect(throws: APIError.missingAPIKey) { try credential(Asked(.administrator), server) }
      #expect(throws: APIError.apiKeyNotEnough) {
        try credential(Asked(.administrator) { $0.query = "key=one" }, server)
      }
      _ = try credential(Asked(.clientOrAssertion), server)
      _ = try credential(Asked(.anyone), server)
    }
  }

  @Test func `a key names its project, and the caller isn't an administrator`() async throws {
    try await with { server, _, _ in
      let asked = Asked(.client) {
        $0.path = "/v1/accounts:signUp"
        $0.query = "key=\(Self.key)"
      }
      let established = try await establish(asked, server)
      #expect(established.project?.id.text == "demo")
      #expect(!established.isAdministrator)
      var unknown = asked
      unknown.query = "key=another"
      await #expect(throws: APIError.invalidAPIKey) { try await establish(unknown, server) }
      var targeted = asked
      targeted.body = ["targetProjectId": "demo"]
      await #expect(
        throws: APIError.refused(
          .insufficientPermission, "Only authenticated requests can specify target_project_id.")
      ) { try await establish(targeted, server) }
    }
  }

  @Test func `a tenant is refused in the body and in the query, and an empty one is ignored`()
    async throws
  {
    try await with { server, admin, _ in
      func asked(_ query: String, _ body: JSONObject) -> Asked {
        Asked(.administrator) {
          $0.headers = Self.bearer(admin)
          $0.query = query
          $0.body = body
        }
      }
      let empty = try await establish(asked("tenantId=", ["tenantId": ""]), server)
      #expect(empty.isAdministrator)
      let refusal = APIError.refused(.unsupportedTenantOperation)
      await #expect(throws: refusal) {
        try await establish(asked("tenantId=t", JSONObject()), server)
      }
      await #expect(throws: refusal) { try await establish(asked("", ["tenantId": "t"]), server) }
    }
  }

  @Test func `an administrator needs the route's role`() async throws {
    try await with { server, admin, viewer in
      func asked(_ token: String, _ role: AdministratorRole) -> Asked {
        Asked(.administrator) {
          $0.headers = Self.bearer(token)
          $0.role = role
        }
      }
      for (token, role) in [(admin, AdministratorRole.administrator), (viewer, .viewer)] {
        let established = try await establish(asked(token, role), server)
        #expect(established.isAdministrator)
      }
      await #expect(throws: APIError.roleNotEnough(.viewer, needed: .administrator)) {
        try await establish(asked(viewer, .administrator), server)
      }
    }
  }

  @Test func `an administrator of another project gets another error than an unknown bearer`()
    async throws
  {
    try await with { server, admin, _ in
      let asked = Asked(.administrator) {
        $0.path = "/v1/projects/other/accounts:query"
        $0.headers = Self.bearer(admin)
      }
      await #expect(throws: APIError.otherProject) { try await establish(asked, server) }
      var unknown = asked
      unknown.headers = Self.bearer("gha_unknown")
      await #expect(throws: APIError.credentialRefused) { try await establish(unknown, server) }
    }
  }

  @Test func `the project comes from the path, otherwise the body, otherwise the key`() async throws
  {
    try await with { server, admin, _ in
      func asked(_ query: String, _ body: JSONObject) -> Asked {
        Asked(.client) {
          $0.path = "/v1/accounts:lookup"
          $0.headers = Self.bearer(admin)
          $0.query = query
          $0.body = body
        }
      }
      let ofBody = try await establish(asked("", ["targetProjectId": "demo"]), server)
      #expect(ofBody.project?.id.text == "demo")
      let ofKey = try await establish(asked("key=\(Self.key)", JSONObject()), server)
      #expect(ofKey.project?.id.text == "demo")
      await #expect(throws: APIError.otherProject) {
        try await establish(asked("key=\(Self.key)", ["targetProjectId": "other"]), server)
      }
      await #expect(throws: APIError.refused(.missingProjectID)) {
        try await establish(asked("", JSONObject()), server)
      }
    }
  }

  @Test func `owner and the control paths work only in development`() async throws {
    let owner = Asked(.administrator) { $0.headers = Self.bearer("owner") }
    let control = Asked(.development) { $0.path = "/emulator/v1/projects/demo/accounts" }
    try await TestServer.with { server in
      #expect(try await establish(owner, server, .development).isAdministrator)
      let established = try await establish(control, server, .development)
      #expect(established.isAdministrator)
      #expect(established.project?.id.text == "demo")
    }
    try await with { server, _, _ in
      await #expect(throws: APIError.credentialRefused) { try await establish(owner, server) }
      await #expect(throws: APIError.notFound) { try await establish(control, server) }
    }
  }

  @Test func `in development owner may have any letter case`() async throws {
    try await TestServer.with { server in
      for token in ["OWNER", "Owner"] {
        let asked = Asked(.administrator) { $0.headers = Self.bearer(token) }
        let established = try await establish(asked, server, .development)
        #expect(established.administrator?.name == "owner")
      }
      let other = Asked(.administrator) { $0.headers = Self.bearer("OWNERS") }
      await #expect(throws: APIError.credentialRefused) {
        try await establish(other, server, .development)
      }
    }
  }

  @Test func `an administrator of any project may send a large body if the body names the project`()
    async throws
  {
    try await with { server, admin, _ in
      func admit(_ path: String, _ token: String) async throws {
        let asked = Asked(.administrator) {
          $0.path = path
          $0.headers = Self.bearer(token)
        }
        try await identification(server, .production).admitLargeBody(
          credential(asked, server), asked.route, RequestPath(path), FormFields(""),
          now: TestServer.start)
      }
      try await admit("/relyingparty/uploadAccount", admin)
      try await admit("/v1/projects/demo/accounts:batchCreate", admin)
      await #expect(throws: APIError.otherProject) {
        try await admit("/v1/projects/other/accounts:batchCreate", admin)
      }
      await #expect(throws: APIError.credentialRefused) {
        try await admit("/relyingparty/uploadAccount", "gha_unknown")
      }
    }
  }
}
