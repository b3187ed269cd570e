import Foundation
import GatehouseProtocol
import GatehouseServer
import HTTPTypes
import Testing

/// What each role may call, and for whom.
@Suite struct AdministratorRolesTests {
  private static let roles: [AdministratorRole] = [.viewer, .support, .administrator, .owner]

  /// Requests with the lowest role that may send them. Each is refused for another reason if the role is enough, or
  /// changes nothing that the next one needs.
  private static let requests:
    [(
      method: HTTPRequest.Method, path: String, body: JSONValue?, role: AdministratorRole
    )] = [
      (.get, "v2/projects", nil, .viewer),
      (.get, "v2/projects/shop", nil, .viewer),
      (.get, "v2/projects/shop/config", nil, .viewer),
      (.get, "v2/projects/shop/apiKeys", nil, .viewer),
      (.get, "v2/projects/shop/iosApps", nil, .viewer),
      (.get, "v2/projects/shop/androidApps", nil, .viewer),
      (.get, "v2/projects/shop/serviceAccounts", nil, .viewer),
      (.get, "v2/projects/shop/events", nil, .viewer),
      (.post, "v2/projects/shop/events:verify", [:], .viewer),
      (.get, "v2/projects/shop/events:export", nil, .administrator),
      (.get, "v2/server/events", nil, .viewer),
      (.post, "v1/projects/shop/accounts:query", [:], .viewer),
      (.post, "v1/projects/shop/accounts", ["email": "new@example.com"], .support),
      (.post, "v1/projects/shop/accounts:update", ["localId": "nobody"], .support),
      (.post, "v1/projects/shop/accounts:delete", ["localId": "nobody"], .support),
      (
        .post, "v1/projects/shop/accounts:update",
        ["localId": "nobody", "customAttributes": "{}"], .administrator
      ),
      (.post, "v1/projects/shop/accounts:batchCreate", ["users": []], .administrator),
      (.get, "v2/projects/shop/oauthIdpConfigs", nil, .viewer),
      (.get, "v2/projects/shop/defaultSupportedIdpConfigs/apple.com", nil, .viewer),
      (.get, "v2/projects/shop/defaultSupportedIdpConfigs/apple.com/transfer", nil, .viewer),
      (.post, "v2/projects/shop/oauthIdpConfigs", [:], .administrator),
      (.post, "v2/projects/shop/oauthIdpConfigs/oidc.a:test", nil, .administrator),
      (
        .post, "v2/projects/shop/oauthIdpConfigs/oidc.a:moveIssuer",
        ["from": "https://old.example.com"], .administrator
      ),
      (
        .post, "v2/projects/shop/defaultSupportedIdpConfigs/apple.com/transfer:prepare",
        ["targetTeamId": "TEAM222222"], .administrator
      ),
      (
        .post, "v2/projects/shop/defaultSupportedIdpConfigs/apple.com/transfer:finish", [:],
        .administrator
      ),
      (.patch, "v2/projects/shop", ["displayName": "Shop"], .administrator),
      (.patch, "v2/projects/shop/config", [:], .administrator),
      (.post, "v2/projects/shop/apiKeys", [:], .administrator),
      (.post, "v2/projects/shop/iosApps", [:], .administrator),
      (.post, "v2/projects/shop/androidApps", [:], .administrator),
      (.post, "v2/projects/shop/serviceAccounts", [:], .administrator),
      (
        .post, "v2/projects/shop/serviceAccounts", ["accountId": "a", "roles": ["admin"]], .owner
      ),
      (.get, "v2/projects/shop/adminKeys", nil, .owner),
      (.post, "v2/projects/shop/adminKeys", ["role": "viewer"], .owner),
      (.delete, "v2/projects/shop/adminKeys/gha_nobody", nil, .owner),
      (.post, "v2/projects", [:], .owner),
      (.get, "v2/projects/shop/codeWebhook", nil, .administrator),
      (.post, "v2/projects/shop/codeWebhook:test", [:], .administrator),
      (.post, "v2/projects/shop/blockingFunctions/beforeSignIn:test", [:], .administrator),
      (.get, "v2/server/version", nil, .viewer),
      (.get, "v2/server/signingKeys", nil, .viewer),
      (.get, "v2/server/settings", nil, .administrator),
      (.post, "v2/server/doctor", [:], .administrator),
      (.post, "v2/server/mail:test", [:], .administrator),
      (.post, "v2/server/signingKeys:rotate", ["use": "nobody"], .owner),
      (.get, "v2/server/adminKeys", nil, .owner),
      (.post, "v2/server/adminKeys", ["role": "nobody"], .owner),
    ]

  @Test func `each role may do what its row says, and no more`() async throws {
    try await TestServer.with(.production) { server in
      let shop = try await server.shop()
      for role in Self.roles {
        let (key, _) = try await server.services.adminKeys.create(
          for: nil, role: role, expiresAt: nil, now: TestServer.start)
        for request in Self.requests {
          let reply = try await server.call(
            .admin(request.method, request.path, request.body).with { $0.bearer = key.reveal() })
          let refusal =
            "INSUFFICIENT_PERMISSION : The credential has the role \(role.rawValue), but the request "
          #expect(
            reply.error?.hasPrefix(refusal) ?? false == !role.includes(request.role),
            "\(role) \(request.method) \(request.path): \(reply.error ?? "accepted")")
          #expect((reply.status == 403) == !role.includes(request.role))
        }
      }
      _ = shop
    }
  }

  /// An operation of the description that only administrators may call.
  private struct Operation {
    let method: HTTPRequest.Method
    let path: String
    let role: AdministratorRole

    var isOfServer: Bool { !path.contains("projects/shop") }
    var deletesShop: Bool { method == .delete && path == "v2/projects/shop" }
    /// It answers each administrator with their own projects, or with nothing of any.
    var isOfAnyProject: Bool {
      method == .get && ["v2/projects", "v2/defaultSupportedIdps"].contains(path)
    }

    static func all(of server: TestServer) async throws -> [Operation] {
      let description = try await server.call(
        TestRequest("/openapi.json").with { $0.method = .get })
      let paths = try #require(description["paths"]?.object?.members)
      return try paths.flatMap { path in
        // No parameter but the project names anything that exists.
        let example = String(path.name.dropFirst()).replacing("{project}", with: "shop")
          .replacing(#/\{\w+\}/#, with: "nobody")
        return try (path.value.object?.members ?? []).compactMap { member -> Operation? in
          guard member.value["security"] == [["administrator": []]] else { return nil }
          return Operation(
            method: try #require(HTTPRequest.Method(member.name.uppercased())), path: example,
            role: try #require(
              member.value["x-role"]?.string.flatMap(AdministratorRole.init(rawValue:))))
        }
      }
    }
  }

  @Test(arguments: roles)
  func `a role may call exactly the operations whose description names it or a lower one`(
    _ role: AdministratorRole
  ) async throws {
    try await TestServer.with(.production) { server in
      let shop = try await server.shop()
      let other = try await server.project("other")
      let operations = try await Operation.all(of: server)
      #expect(operations.count > 100)
      func key(_ role: AdministratorRole, of project: ProjectID?) async throws -> String {
        try await server.services.adminKeys.create(
          for: project, role: role, expiresAt: nil, now: TestServer.start
        ).key.reveal()
      }
      let everywhere = try await key(role, of: nil)
      let ofShop = try await key(role, of: shop)
      let ofOther = try await key(role, of: other)
      // The project is the last to be deleted.
      for operation in operations.sorted(by: { !$0.deletesShop && $1.deletesShop }) {
        func error(_ bearer: String) async throws -> String {
          let body: JSONValue? = operation.method == .get ? nil : [:]
          return try await server.call(
            .admin(operation.method, operation.path, body).with { $0.bearer = bearer }
          ).error ?? ""
        }
        let name: Comment = "\(operation.method) \(operation.path)"
        let tooLow = "INSUFFICIENT_PERMISSION : The credential has the role"
        let refused = "INSUFFICIENT_PERMISSION : The credential "
        let isOfAny = operation.isOfAnyProject
        #expect(try await error(ofOther).hasPrefix(refused) || isOfAny, name)
        let own = try await error(ofShop)
        if operation.isOfServer {
          #expect(own.hasPrefix(refused) || isOfAny, name)
        } else if !operation.deletesShop {
          #expect(own.hasPrefix(tooLow) == !role.includes(operation.role), name)
        }
        #expect(
          try await error(everywhere).hasPrefix(tooLow) == !role.includes(operation.role), name)
      }
    }
  }

  @Test func `an owner of one project is none of the server, or of another project`() async throws {
    try await TestServer.with(.production) { server in
      let shop = try await server.shop()
      let other = try await server.project("other")
      let (key, _) = try await server.services.adminKeys.create(
        for: shop, role: .owner, expiresAt: nil, now: TestServer.start)
      func call(
        _ method: HTTPRequest.Method, _ path: String, _ body: JSONValue? = nil
      ) async throws -> TestReply {
        try await server.call(.admin(method, path, body).with { $0.bearer = key.reveal() })
      }
      let listed = try await call(.get, "v2/projects")
      #expect(listed["projects"]?.array?.map { $0["projectId"] } == [.string(shop.text)])
      for (method, path, body) in [
        (.get, "v2/server/adminKeys", nil), (.post, "v2/server/adminKeys", ["role": "owner"]),
        (.post, "v2/projects", ["projectId": "third"]),
        (.get, "v2/server/serviceAccountKeys", nil), (.get, "v2/server/events", nil),
        (.get, "v2/server/events:export", nil),
      ] as [(HTTPRequest.Method, String, JSONValue?)] {
        let reply = try await call(method, path, body)
        #expect(reply.status == 403)
        #expect(
          reply.error
            == "INSUFFICIENT_PERMISSION : The credential is valid for one project only, but the request "
            + "is about the server. Use an administrator's key that is valid for all projects.")
      }
      for path in [
        "", "/config", "/apiKeys", "/adminKeys", "/serviceAccounts", "/oauthIdpConfigs", "/events",
      ] {
        let reply = try await call(.get, "v2/projects/\(other)\(path)")
        #expect(reply.status == 403, "\(path)")
      }
    }
  }

  @Test func `what belongs to another project isn't found`() async throws {
    try await TestServer.with(.production) { server in
      let shop = try await server.shop()
      let other = try await server.project("other")
      let projects = server.services.projects
      let app = try await Apps(projects).add(
        bundleID: "com.example.app", displayName: nil, to: other, now: TestServer.start)
      let key = try await Apps(projects).createKey(for: other, displayName: nil)
      let robot = try #require(EmailAddress("robot@example.com"))
      _ = try await server.services.serviceAccounts.create(
        robot, in: other, roles: [.customTokens], key: nil, now: TestServer.start)
      let (_, record) = try await server.services.adminKeys.create(
        for: other, role: .viewer, expiresAt: nil, now: TestServer.start)
      let (owner, _) = try await server.services.adminKeys.create(
        for: shop, role: .owner, expiresAt: nil, now: TestServer.start)
      for (method, path) in [
        (.get, "iosApps/\(app.id)"), (.patch, "iosApps/\(app.id)"),
        (.get, "iosApps/\(app.id)/config"), (.delete, "iosApps/com.example.app"),
        (.delete, "apiKeys/\(key.text)"), (.get, "serviceAccounts/\(robot)"),
        (.delete, "serviceAccounts/\(robot)"), (.post, "serviceAccounts/\(robot)/keys"),
        (.delete, "adminKeys/\(record.prefix)"),
      ] as [(HTTPRequest.Method, String)] {
        let reply = try await server.call(
          .admin(method, "v2/projects/shop/\(path)", method == .get ? nil : [:])
            .with { $0.bearer = owner.reveal() })
        #expect(reply.status == 404, "\(method) \(path): \(reply.error ?? "accepted")")
      }
      #expect(try await projects.apps(of: other).count == 1)
      #expect(try await server.services.adminKeys.list().contains { $0.prefix == record.prefix })
    }
  }
}

extension TestServer {
  /// A project of production.
  func project(_ id: String) async throws -> ProjectID {
    let id = try #require(ProjectID(id))
    try await store.write { transaction in
      try transaction.save(
        Project.new(id, publicURL: "https://auth.example.com", domains: []))
    }
    _ = try await services.projects.refresh()
    return id
  }

  func shop() async throws -> ProjectID { try await project("shop") }
}
