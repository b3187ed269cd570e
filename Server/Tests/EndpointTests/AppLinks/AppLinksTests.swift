import Foundation
import GatehouseServer
import GatehouseProtocol
import HTTPTypes
import Testing

/// The files that Apple and Google read from a host: the apps of all its projects, or no file if
/// there are none.
@Suite struct AppLinksTests {
  private static let apple = "/.well-known/apple-app-site-association"
  private static let android = "/.well-known/assetlinks.json"
  private static let fingerprint =
    "14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:C6:20:FE:BA:CD"

  private static func get(_ server: TestServer, _ path: String) async throws -> TestReply {
    var request = TestRequest(path)
    request.method = .get
    request.key = nil
    return try await server.call(request)
  }

  /// A project, with a team id for apple.com if one is given.
  @discardableResult
  private static func project(
    _ name: String, team: String? = nil, bundleIDs: [String] = [], in server: TestServer
  ) async throws -> ProjectID {
    let id = try #require(ProjectID(name))
    var provider = ProviderConfiguration(id: .apple, clientID: "", trustEmail: .always)
    provider.apple = .init(bundleIDs: bundleIDs, teamID: team)
    let configured = provider
    try await server.store.write { transaction in
      try transaction.save(
        Project(
          id: id, number: UInt64(name.utf8.count), issuer: "https://auth.example.com/\(name)",
          authorizedDomains: [], policies: ProjectPolicies()))
      try transaction.save(configured, in: id)
    }
    return id
  }

  @Test(arguments: [apple, android, "/.well-known/apple-developer-domain-association.txt"])
  func `without apps or a verification text the files don't exist`(_ path: String) async throws {
    try await TestServer.with(.production) { server in
      try await Self.project("shop", bundleIDs: ["com.example.app"], in: server)
      #expect(try await Self.get(server, path).status == 404)
    }
  }

  @Test func `the apps of an only project get the team of its Apple provider`() async throws {
    try await TestServer.with(.production) { server in
      let shop = try await Self.project(
        "shop", team: "TEAM123456", bundleIDs: ["com.example.widget"], in: server)
      _ = try await Apps(ProjectDirectory(store: server.store)).add(
        bundleID: "com.example.app", displayName: nil, to: shop, now: TestServer.start)
      let ids: JSONValue = ["TEAM123456.com.example.app", "TEAM123456.com.example.widget"]
      #expect(try await Self.get(server, Self.apple)["webcredentials"]?["apps"] == ids)
    }
  }

  @Test func `with several projects they don't, because the links belong to all of them`()
    async throws
  {
    try await TestServer.with(.production) { server in
      let shop = try await Self.project(
        "shop", team: "TEAM123456", bundleIDs: ["com.example.widget"], in: server)
      try await Self.project("club", in: server)
      _ = try await Apps(ProjectDirectory(store: server.store)).add(
        bundleID: "com.example.app", displayName: nil, to: shop, now: TestServer.start)
      #expect(try await Self.get(server, Self.apple).status == 404)
    }
  }

  @Test func `Apple's file lists every project's apps, once each`() async throws {
    try await TestServer.with(.production) { server in
      let apps = Apps(ProjectDirectory(store: server.store))
      let shop = try await Self.project("shop", bundleIDs: ["com.example.widget"], in: server)
      let club = try await Self.project("club", in: server)
      _ = try await apps.add(
        bundleID: "com.example.app", displayName: nil, teamID: "TEAM123456", to: shop,
        now: TestServer.start)
      _ = try await apps.add(
        bundleID: "com.example.app", displayName: nil, teamID: "TEAM123456", to: club,
        now: TestServer.start)
      _ = try await apps.add(
        bundleID: "com.example.club", displayName: nil, teamID: "CLUB654321", to: club,
        now: TestServer.start)
      _ = try await apps.add(
        bundleID: "com.example.none", displayName: nil, to: club, now: TestServer.start)
      let reply = try await Self.get(server, Self.apple)
      #expect(reply.status == 200)
      #expect(reply.headers[.contentType] == "application/json")
      let ids: JSONValue = [
        "CLUB654321.com.example.club", "TEAM123456.com.example.app",
      ]
      let details = reply["applinks"]?["details"]?.array ?? []
      #expect(details.map { $0["appIDs"] } == [ids])
      #expect(reply["webcredentials"]?["apps"] == ids)
      let paths = details.first?["components"]?.array?.map { $0["/"]?.string }
      #expect(paths == ["/__/auth/callback", "/__/auth/action"])
    }
  }

  @Test func `a change takes effect at once`() async throws {
    try await TestServer.with(.production) { server in
      let shop = try await Self.project("shop", in: server)
      let apps = Apps(ProjectDirectory(store: server.store))
      let app = try await apps.add(
        bundleID: "com.example.app", displayName: nil, to: shop, now: TestServer.start)
      _ = try await server.services.projects.refresh()
      #expect(try await Self.get(server, Self.apple).status == 404)
      #expect(try await apps.update(app.id, of: shop) { $0.teamID = "TEAM123456" } != nil)
      _ = try await server.services.projects.refresh()
      #expect(try await Self.get(server, Self.apple).text.contains("TEAM123456.com.example.app"))
      #expect(try await apps.delete(app.id, of: shop))
      _ = try await server.services.projects.refresh()
      #expect(try await Self.get(server, Self.apple).status == 404)
    }
  }

  @Test func `Google's file lists each package, with all its fingerprints`() async throws {
    try await TestServer.with(.production) { server in
      let apps = AndroidApps(ProjectDirectory(store: server.store))
      for (name, first) in [("shop", "AA"), ("club", "BB")] {
        let id = try await Self.project(name, in: server)
        try await apps.set(
          AndroidApp(
            project: id, packageName: "com.example.app",
            fingerprints: [first + Self.fingerprint.dropFirst(2)], createdAt: TestServer.start))
      }
      let reply = try await Self.get(server, Self.android)
      #expect(reply.status == 200)
      #expect(reply.headers[.contentType] == "application/json")
      let rest = Self.fingerprint.dropFirst(2)
      let expected: JSONValue = [
        [
          "relation": [
            "delegate_permission/common.handle_all_urls",
            "delegate_permission/common.get_login_creds",
          ],
          "target": [
            "namespace": "android_app", "package_name": "com.example.app",
            "sha256_cert_fingerprints": [.string("AA\(rest)"), .string("BB\(rest)")],
          ],
        ]
      ]
      #expect(reply.json == expected)
    }
  }

  @Test func `a project's own documents stay at their paths`() async throws {
    try await TestServer.with(.production) { server in
      try await Self.project("shop", in: server)
      #expect(try await Self.get(server, "/shop/.well-known/jwks.json").status == 200)
      #expect(
        try await Self.get(server, "/shop/.well-known/assetlinks.json").status == 404)
    }
  }
}
