import GatehouseServer
import GatehouseProtocol
import Testing

extension TestServer {
  /// Runs `body` with a production server that has one project, `shop`, with every fake provider and
  /// one app.
  static func withShop(
    domains: [String], publicURL: String = "https://auth.example.com/",
    bundleID: String = "com.example.app", _ body: (TestServer, App) async throws -> Void
  ) async throws {
    let base = publicURL.hasSuffix("/") ? String(publicURL.dropLast()) : publicURL
    try await with(.production, publicURL: publicURL) { server in
      let id = try #require(ProjectID("shop"))
      try await server.store.write { transaction in
        try transaction.save(
          Project(
            id: id, number: 77, issuer: "\(base)/shop", authorizedDomains: domains,
            policies: ProjectPolicies()))
        for provider in FakeProviders.configurations { try transaction.save(provider, in: id) }
      }
      let app = try await Apps(ProjectDirectory(store: server.store)).add(
        bundleID: bundleID, displayName: nil, to: id, now: start)
      try await body(server, app)
    }
  }
}
