import GatehouseProtocol
import Testing

@testable import GatehouseServer

/// The description in `HTTP/OpenAPI/Capabilities` has each route of the API, and nothing else.
@Suite struct OpenAPITests {
  private let document: JSONObject
  private let description: APIDescription

  init() throws {
    document = try OpenAPIDocument.members.get()
    description = try APIDescription.shared.get()
  }

  @Test func `each route of the API is described, and nothing else is`() async throws {
    let routes = try await Self.routes()
    let missing = routes.keys.filter { description.operations[$0] == nil }
    #expect(missing.sorted() == [], "add these to a file of HTTP/OpenAPI/Capabilities")
    let unknown = description.operations.keys.filter { routes[$0] == nil }
    #expect(unknown.sorted() == [], "no route has these")
  }

  @Test func `the description has the access and the role of each route`() async throws {
    for (path, route) in try await Self.routes() {
      let operation = description.operations[path]
      #expect(operation?["security"] == Self.security(of: route.access), "access of \(path)")
      #expect(operation?["x-role"]?.string == Self.role(of: route), "role of \(path)")
    }
  }

  @Test func `the name of an operation is its route's, and no other operation has it`() async throws
  {
    var names: Set<String> = []
    for (path, route) in try await Self.routes() {
      let name = description.operations[path]?["operationId"]?.string ?? ""
      #expect(name == route.name || name.hasPrefix("\(route.name)."), "operationId of \(path)")
      #expect(names.insert(name).inserted, "operationId of \(path)")
    }
  }

  @Test func `each reference leads to a component, and each component is used`() {
    let components = (document["components"]?.object?.members ?? []).flatMap { kind in
      (kind.value.object?.members ?? []).map { "#/components/\(kind.name)/\($0.name)" }
    }
    let used = Set(Self.references(in: .object(document)))
    #expect(used.subtracting(components).sorted() == [])
    let idle = Set(components).subtracting(used)
    #expect(idle.filter { !$0.contains("securitySchemes") }.sorted() == [])
  }

  @Test func `a schema and an operation are in one file only`() throws {
    var names: Set<String> = []
    for file in OpenAPIDocument.capabilities {
      let capability = try JSONObject(parsing: file)
      for schema in capability["schemas"]?.object?.members ?? [] {
        #expect(names.insert(schema.name).inserted, "\(schema.name) is there twice")
      }
      for path in capability["paths"]?.object?.members ?? [] {
        for operation in path.value.object?.members ?? [] {
          let name = "\(operation.name) \(path.name)"
          #expect(names.insert(name).inserted, "\(name) is there twice")
        }
      }
    }
  }

  @Test(arguments: [TestServer.Mode.development, .production])
  func `anyone may read the description, with the server's URL`(mode: TestServer.Mode) async throws
  {
    try await TestServer.with(mode) { server in
      let reply = try await server.call(
        TestRequest("/openapi.json").with {
          $0.method = .get
          $0.key = nil
        })
      #expect(reply.status == 200)
      #expect(reply["openapi"]?.string == "3.1.0")
      #expect(reply["servers"] == [["url": "https://auth.example.com"]])
      #expect(reply["paths"]?.object?.isEmpty == false)
      #expect(reply.headers[.cacheControl] == "public, max-age=300, must-revalidate")
    }
  }

  /// The routes of the API by method and pattern: without pages, aliases, and what only `--dev` has.
  private static func routes() async throws -> [String: Route] {
    var routes: [String: Route] = [:]
    try await TestServer.with { server in
      let all = Routes.all(
        server.services,
        APIConfiguration(mode: .production, publicURL: "https://auth.example.com"))
      for route in all where isDescribed(route) {
        routes["\(route.method.rawValue) \(route.pattern)"] = route
      }
    }
    return routes
  }

  private static func isDescribed(_ route: Route) -> Bool {
    switch route.access {
    case .development, .developer, .console: return false
    case .anyone, .client, .user, .clientOrAssertion, .administrator, .server: break
    }
    if case .page = route.envelope { return false }
    // The page at the root.
    if route.pattern == "/" { return false }
    return !route.pattern.hasPrefix("relyingparty/")
      && route.pattern != "v1/projects/*:queryAccounts"
  }

  private static func security(of access: Route.Access) -> JSONValue {
    switch access {
    case .anyone, .development, .developer, .console: []
    case .client: [["apiKey": []], ["apiKeyHeader": []], ["administrator": []]]
    case .user: [["apiKey": [], "idToken": []], ["apiKeyHeader": [], "idToken": []]]
    case .clientOrAssertion: [["apiKey": []], ["apiKeyHeader": []], ["administrator": []], [:]]
    case .administrator, .server: [["administrator": []]]
    }
  }

  /// Nil if no administrator may call it.
  private static func role(of route: Route) -> String? {
    switch route.access {
    case .administrator, .server, .client: route.role.rawValue
    case .anyone, .user, .clientOrAssertion, .development, .developer, .console: nil
    }
  }

  private static func references(in value: JSONValue) -> [String] {
    switch value {
    case .object(let object):
      object.members.flatMap { member in
        member.name == "$ref" ? [member.value.string ?? ""] : references(in: member.value)
      }
    case .array(let elements): elements.flatMap { references(in: $0) }
    default: []
    }
  }
}
