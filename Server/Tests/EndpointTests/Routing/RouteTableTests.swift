import HTTPTypes
import Testing

@testable import GatehouseServer

@Suite struct RouteTableTests {
  private func route(
    _ method: HTTPRequest.Method, _ pattern: String, _ name: String,
    _ access: Route.Access = .client
  ) -> Route {
    Route(
      method: method, pattern: pattern, name: name, access: access, envelope: .identityToolkit
    ) { _ in Answer(json: []) }
  }

  @Test func `two endpoints on one path are reported, and no server starts with them`() {
    let error = #expect(throws: DuplicateRoute.self) {
      try RouteTable([
        route(.post, "v1/accounts:signUp", "signUp"),
        route(.post, "v1/accounts:lookup", "lookup"),
        route(.post, "v1/accounts:signUp", "accounts.create", .administrator),
      ])
    }
    #expect(
      error?.description
        == "POST v1/accounts:signUp is declared by two endpoints: signUp and accounts.create.")
  }

  @Test func `a path may have several methods`() throws {
    let table = try RouteTable([
      route(.get, "v2/projects/*/config", "config.get"),
      route(.patch, "v2/projects/*/config", "config.patch"),
    ])
    let path = RequestPath("/v2/projects/demo/config")
    #expect(table.route(.get, path)?.name == "config.get")
    #expect(table.route(.patch, path)?.name == "config.patch")
    #expect(table.route(.delete, path) == nil)
  }

  @Test func `HEAD is answered as GET, and a browser's preflight by what it may call`() throws {
    let table = try RouteTable([
      route(.get, "v2/projects/*/config", "config.get", .administrator),
      route(.post, "v2/projects/*/config", "config.ofClients", .client),
    ])
    let path = RequestPath("/v2/projects/demo/config")
    #expect(table.route(.head, path)?.name == "config.get")
    #expect(table.route(.options, path)?.name == "config.ofClients")
  }

  @Test func `a path that isn't ASCII has no route`() throws {
    let table = try RouteTable([route(.get, "caf\u{E9}", "coffee")])
    #expect(table.route(.get, RequestPath("/caf\u{E9}")) == nil)
  }
}
