import Foundation
import GatehouseProtocol
import GatehouseServer
import HTTPTypes
import Testing

/// Projects, their keys, apps, administrators' keys and service accounts over REST.
@Suite struct ManageProjectsTests {
  private func call(
    _ server: TestServer, _ method: HTTPRequest.Method, _ path: String, _ body: JSONValue? = nil,
    query: String? = nil
  ) async throws -> TestReply {
    try await server.call(.admin(method, "v2/\(path)", body).with { $0.query = query })
  }

  @Test func `a project is created, renamed and deleted with its accounts`() async throws {
    try await TestServer.with { server in
      let created = try await call(
        server, .post, "projects",
        [
          "projectId": "shop", "displayName": "Shop", "authorizedDomains": ["Shop.Example.com"],
          "policies": ["allowsAnonymous": true],
        ])
      #expect(created.status == 200)
      #expect(created["issuer"]?.string?.hasSuffix("/shop") == true)
      let key = try #require(created["apiKey"]?.string)
      let config = try await call(server, .get, "projects/shop/config")
      #expect(config["authorizedDomains"]?.array?.contains("shop.example.com") == true)
      #expect(config["policies"]?["allowsAnonymous"] == true)
      let guest = try await server.call(
        .accounts("signUp", ["returnSecureToken": true]).with { $0.key = key })
      #expect(guest.status == 200)

      let again = try await call(server, .post, "projects", ["projectId": "shop"])
      #expect(again.status == 409)
      #expect(again.error == "The project exists already.")
      let renamed = try await call(
        server, .patch, "projects/shop", ["displayName": "The shop"])
      #expect(renamed["displayName"] == "The shop")
      #expect(renamed["apiKey"] == nil)
      let listed = try await call(server, .get, "projects")
      #expect(listed["projects"]?.array?.contains { $0["projectId"] == "shop" } == true)

      #expect(try await call(server, .delete, "projects/shop").status == 200)
      let left = try await server.store.read { try $0.projects().map(\.id.text) }
      #expect(!left.contains("shop"))
    }
  }

  @Test(
    arguments: [
      (["projectId": "No"], "projectId is a lower-case letter, then 2 to 62 of a–z, 0–9 and -."),
      (
        ["projectId": "shop", "authorizedDomains": ["https://a.example.com"]],
        "INVALID_AUTHORIZED_DOMAIN : “https://a.example.com” is not the name of a host."
      ),
      (
        ["projectId": "shop", "policies": ["alowsAnonymous": true]],
        "INVALID_CONFIG : there is no policy “alowsAnonymous”; did you mean “allowsAnonymous”?."
      ),
      (
        ["projectId": "shop", "colour": "green"],
        "Invalid JSON payload received. Unknown name \"colour\": Cannot find field."
      ),
    ] as [(JSONValue, String)])
  func `a project that isn't valid is refused`(body: JSONValue, error: String) async throws {
    try await TestServer.with { server in
      let reply = try await call(server, .post, "projects", body)
      #expect(reply.status == 400)
      #expect(reply.error == error)
    }
  }

  @Test func `an API key is created, listed with its app, and deleted unless it is an app's`()
    async throws
  {
    try await TestServer.with { server in
      let key = try await call(server, .post, "projects/demo/apiKeys", ["displayName": "CI"])
      let text = try #require(key["keyString"]?.string)
      let app = try await call(
        server, .post, "projects/demo/iosApps", ["bundleId": "com.example.app"])
      let appKey = try #require(app["apiKey"]?.string)
      let listed = try await call(server, .get, "projects/demo/apiKeys")
      let keys = try #require(listed["apiKeys"]?.array)
      #expect(keys.contains { $0["keyString"] == .string(text) && $0["appId"] == nil })
      #expect(keys.contains { $0["keyString"] == .string(appKey) && $0["appId"] == app["appId"] })
      let refused = try await call(server, .delete, "projects/demo/apiKeys/\(appKey)")
      let id = try #require(app["appId"]?.string)
      #expect(refused.error == "The key belongs to the app \(id), and is deleted with it.")
      #expect(try await call(server, .delete, "projects/demo/apiKeys/\(text)").status == 200)
      #expect(try await call(server, .delete, "projects/demo/apiKeys/\(text)").status == 404)
    }
  }

  @Test func `an app of Apple's platforms is named by its id or bundle id, and has a file`()
    async throws
  {
    try await TestServer.with { server in
      let apps = "projects/demo/iosApps"
      let app = try await call(
        server, .post, apps,
        ["bundleId": "com.example.app", "displayName": "App", "teamId": "ABCDE12345"])
      #expect(app.status == 200)
      let id = try #require(app["appId"]?.string)
      for name in [id, "com.example.app"] {
        #expect(try await call(server, .get, "\(apps)/\(name)").json == app.json)
      }
      let taken = try await call(server, .post, apps, ["bundleId": "com.example.app"])
      #expect(taken.status == 409)
      #expect(taken.error == "The project has the app \(id) with this bundle id.")
      let changed = try await call(
        server, .patch, "\(apps)/com.example.app", ["teamId": "", "displayName": "New"],
        query: "updateMask=teamId")
      #expect(changed["teamId"] == nil)
      #expect(changed["displayName"] == "App")
      let wrong = try await call(server, .patch, "\(apps)/\(id)", ["teamId": "short"])
      #expect(wrong.error == "teamId is ten capital letters and digits.")

      let file = try await call(
        server, .get, "\(apps)/\(id)/config", query: "googleClientId=1-a.apps.example.com")
      #expect(file["configFilename"] == "GoogleService-Info.plist")
      let contents = try #require(file["configFileContents"]?.string)
      let xml = String(decoding: try #require(Data(base64Encoded: contents)), as: UTF8.self)
      #expect(xml.contains("<string>\(id)</string>"))
      #expect(file["urlScheme"] == "com.example.apps.1-a")

      #expect(try await call(server, .delete, "\(apps)/\(id)").status == 200)
      #expect(try await call(server, .get, "\(apps)/\(id)").status == 404)
    }
  }

  @Test func `an app on Android has fingerprints, each once`() async throws {
    try await TestServer.with { server in
      let apps = "projects/demo/androidApps"
      let pairs = Array(repeating: "AB", count: 32)
      let app = try await call(
        server, .post, apps,
        [
          "packageName": "com.example.app",
          "sha256CertFingerprints": [
            .string(pairs.joined(separator: ":")), .string(pairs.joined().lowercased()),
          ],
        ])
      #expect(app["sha256CertFingerprints"] == [.string(pairs.joined(separator: ":"))])
      #expect(
        try await call(server, .post, apps, ["packageName": "com.example.app"]).status == 409)
      let wrong = try await call(
        server, .patch, "\(apps)/com.example.app", ["sha256CertFingerprints": ["SHA1"]])
      #expect(wrong.error == "“SHA1” is not the SHA-256 of a certificate in hexadecimal.")
      let renamed = try await call(
        server, .patch, "\(apps)/com.example.app", ["displayName": "App"])
      #expect(renamed["displayName"] == "App")
      #expect(renamed["sha256CertFingerprints"] == app["sha256CertFingerprints"])
      #expect(try await call(server, .get, apps)["apps"] == [renamed.json])
      #expect(try await call(server, .delete, "\(apps)/com.example.app").status == 200)
      #expect(try await call(server, .delete, "\(apps)/com.example.app").status == 404)
    }
  }

  @Test func `an administrator's key is shown once, and ends when it is deleted`() async throws {
    try await TestServer.with { server in
      let made = try await call(
        server, .post, "server/adminKeys",
        ["role": "support", "expireTime": "2027-06-30T12:00:00Z"])
      let key = try #require(made["key"]?.string)
      let prefix = try #require(made["prefix"]?.string)
      #expect(made["project"] == nil)
      let own = try await call(server, .post, "projects/demo/adminKeys", ["role": "viewer"])
      #expect(own["project"] == "demo")
      let all = try await call(server, .get, "server/adminKeys")
      #expect(all["adminKeys"]?.array?.count == 2)
      #expect(all["adminKeys"]?.array?.contains { $0["key"] != nil } == false)
      let listed = try await call(server, .get, "projects/demo/adminKeys")
      #expect(listed["adminKeys"]?.array?.map { $0["prefix"] } == [own["prefix"]])

      let request = TestRequest.admin(.get, "v2/projects").with { $0.bearer = key }
      #expect(try await server.call(request).status == 200)
      // A project's owner doesn't delete the server's key.
      #expect(
        try await call(server, .delete, "projects/demo/adminKeys/\(prefix)").status == 404)
      #expect(try await call(server, .delete, "server/adminKeys/\(prefix)").status == 200)
      #expect(try await server.call(request).status == 401)
    }
  }

  @Test(
    arguments: [
      (
        ["role": "admin"], "role is one of viewer, support, administrator, owner."
      ),
      (
        ["expireTime": "2020-01-01T00:00:00Z"],
        "expireTime is not a later time such as 2027-06-30T12:00:00Z."
      ),
      (
        ["expireTime": "tomorrow"], "expireTime is not a later time such as 2027-06-30T12:00:00Z."
      ),
    ] as [(JSONValue, String)])
  func `a key that isn't valid is refused`(body: JSONValue, error: String) async throws {
    try await TestServer.with { server in
      let reply = try await call(server, .post, "server/adminKeys", body)
      #expect(reply.error == error)
    }
  }

  @Test func `a service account gets keys, roles, and a credential that signs`() async throws {
    try await TestServer.with { server in
      let accounts = "projects/demo/serviceAccounts"
      let account = try await call(server, .post, accounts, ["accountId": "robot"])
      let email = "robot@demo.iam.gserviceaccount.com"
      #expect(account["email"] == .string(email))
      #expect(account["roles"] == ["customTokens"])
      #expect(try await call(server, .post, accounts, ["accountId": "robot"]).status == 409)
      let key = try await call(server, .post, "\(accounts)/\(email)/keys", [:])
      let data = try #require(key["privateKeyData"]?.string.flatMap { Data(base64Encoded: $0) })
      let credential = try JSONObject(parsing: Array(data))
      #expect(credential["client_email"] == .string(email))
      #expect(credential["token_uri"]?.string?.hasSuffix("/token") == true)
      let id = try #require(credential["private_key_id"]?.string)
      #expect(key["name"] == .string("projects/demo/serviceAccounts/\(email)/keys/\(id)"))
      let changed = try await call(
        server, .patch, "\(accounts)/\(email)", ["roles": ["admin", "customTokens"]])
      #expect(changed["roles"] == ["customTokens", "admin"])
      #expect(changed["keys"]?.array?.map { $0["name"] } == [key["name"]])
      #expect(changed["keys"]?.array?.contains { $0["privateKeyData"] != nil } == false)
      let wrong = try await call(server, .patch, "\(accounts)/\(email)", ["roles": ["owner"]])
      #expect(wrong.error == "roles holds customTokens, admin.")
      #expect(
        try await call(server, .delete, "\(accounts)/\(email)/keys/\(id)").status == 200)
      #expect(
        try await call(server, .delete, "\(accounts)/\(email)/keys/\(id)").status == 404)
      #expect(try await call(server, .delete, "\(accounts)/\(email)").status == 200)
      #expect(try await call(server, .get, "\(accounts)/\(email)").status == 404)
    }
  }

  @Test func `an administrator changes no account and key that could outlast them`() async throws {
    try await TestServer.with { server in
      _ = try await server.makeProject()
      let robot = try #require(EmailAddress("robot@example.com"))
      _ = try await server.services.serviceAccounts.create(
        robot, in: server.demo, roles: [.admin], key: nil, now: TestServer.start)
      let (key, _) = try await server.services.adminKeys.create(
        for: server.demo, role: .administrator, expiresAt: nil, now: TestServer.start)
      let one = "v2/projects/demo/serviceAccounts/\(robot)"
      for (method, path, body) in [
        (.post, "\(one)/keys", [:]), (.patch, one, ["roles": []]), (.delete, one, nil),
        (.delete, "\(one)/keys/a", nil),
      ] as [(HTTPRequest.Method, String, JSONValue?)] {
        let reply = try await server.call(
          .admin(method, path, body).with { $0.bearer = key.reveal() })
        #expect(
          reply.error
            == "INSUFFICIENT_PERMISSION : The credential has the role administrator, but the request "
            + "needs the role owner.", "\(method) \(path)")
      }
    }
  }

  /// The command calls the handlers without a network, and gets what a server answers.
  @Test func `a local administrator gets the same answers, and sees no client's method`()
    async throws
  {
    try await TestServer.with { server in
      let local = try LocalAdministration(
        server.services,
        APIConfiguration(
          mode: .development(APIConfiguration.Development(defaultProject: server.demo)),
          publicURL: "https://auth.example.com"))
      for target in [
        "/v2/projects", "/v2/projects/demo/config", "/v2/projects/nobody/config",
        "/v2/projects/demo/iosApps/a%2Fb", "/v2/server/nothing",
      ] {
        let (status, body) = await local.respond(to: "GET", target, body: [])
        let reply = try await server.call(.admin(.get, String(target.dropFirst())))
        // In `--dev` a project exists as soon as it is named.
        #expect(status == reply.status)
        #expect(try JSONValue(parsing: String(decoding: body, as: UTF8.self)) == reply.json)
      }
      let broken = await local.respond(to: "POST", "/v2/projects", body: Array("{".utf8))
      #expect(broken.status == 400)
      let client = await local.respond(
        to: "POST", "/v1/accounts:signUp", body: Array("{}".utf8))
      #expect(client.status == 404)
    }
  }
}
