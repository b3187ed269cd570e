import Foundation
import Testing

/// The conditions under which a production server starts, and the administrators that it accepts.
@Suite struct ProductionTests {
  @Test func `without a public URL it doesn't start`() async throws {
    try await TemporaryFolder.with { folder in
      let production = try await Production.make(in: folder)
      let refused = try await production.refusal([])
      #expect(refused.status != 0)
      #expect(refused.errors.contains("--public-url"))
    }
  }

  @Test func `a public URL without TLS is refused`() async throws {
    try await TemporaryFolder.with { folder in
      let production = try await Production.make(in: folder)
      let refused = try await production.refusal(["--public-url", "http://auth.example.com"])
      #expect(refused.status != 0)
      #expect(refused.errors.contains("https"))
    }
  }

  @Test func `without a master key it doesn't start`() async throws {
    try await TemporaryFolder.with { folder in
      let production = try await Production.make(in: folder)
      let refused = try await production.refusal(
        ["--public-url", Production.publicURL], masterKey: "")
      #expect(refused.status != 0)
      #expect(refused.errors.contains("GATEHOUSE_MASTER_KEY"))
      #expect(
        refused.errors.contains("The database in \(folder.path)/data needs the one with the id"))
    }
  }

  @Test func `with another master key it doesn't start, and the right one still works`()
    async throws
  {
    try await TemporaryFolder.with { folder in
      let production = try await Production.make(in: folder)
      let other = try await Command.run(["keys", "new-master"], in: folder)
      let otherKey = try #require(other.lines.first as String?)
      let refused = try await production.refusal(
        ["--public-url", Production.publicURL], masterKey: otherKey)
      #expect(refused.status != 0)
      #expect(refused.errors.contains("master key"))
      let server = try await production.start()
      #expect(try await server.stop() == 0)
    }
  }

  @Test func `without a database it doesn't start and says how to create one`() async throws {
    try await TemporaryFolder.with { folder in
      let key = try await Command.run(["keys", "new-master"], in: folder)
      let refused = try await Command.run(
        [
          "serve", "--port", "0", "--data", folder.path + "/data", "--public-url",
          Production.publicURL,
        ],
        environment: ["GATEHOUSE_MASTER_KEY": try #require(key.lines.first)], in: folder)
      #expect(refused.status != 0)
      #expect(refused.errors.contains("gatehouse projects create"))
      #expect(!FileManager.default.fileExists(atPath: folder.path + "/data"))
    }
  }

  @Test(arguments: [[], ["--dev", "--simulator-port", "0"]])
  func `an emptied database stops every server, and a restore brings it back`(
    _ mode: [String]
  ) async throws {
    try await TemporaryFolder.with { folder in
      let production = try await Production.make(in: folder)
      let backup = folder.path + "/backup.sqlite"
      #expect(try await production.command("backup", backup).status == 0)
      let file = folder.path + "/data/gatehouse.sqlite"
      try Data().write(to: URL(fileURLWithPath: file))
      let refused = try await production.refusal(
        mode + (mode.isEmpty ? ["--public-url", Production.publicURL] : []))
      #expect(refused.errors.contains("is too short (\(file): 0 bytes)"))
      #expect(try Data(contentsOf: URL(fileURLWithPath: file)).isEmpty)
      let restored = try await production.command("restore", backup)
      #expect(restored.status == 0, "\(restored.errors)")
      let server = try await production.start()
      #expect(try await server.stop() == 0)
    }
  }

  @Test func `several faults are reported at once`() async throws {
    try await TemporaryFolder.with { folder in
      let refused = try await Command.run(
        ["serve", "--port", "many", "--data", folder.path + "/data", "--set", "no.such=thing"],
        in: folder)
      #expect(refused.status != 0)
      for fault in ["--port", "no.such", "--public-url"] {
        #expect(refused.errors.contains(fault))
      }
    }
  }

  @Test func `--dev refuses a production database`() async throws {
    try await TemporaryFolder.with { folder in
      let production = try await Production.make(in: folder)
      let refused = try await production.refusal(["--dev", "--simulator-port", "0"])
      #expect(refused.status != 0)
      #expect(refused.errors.contains("production"))
    }
  }

  @Test func `production refuses a database of --dev`() async throws {
    try await TemporaryFolder.with { folder in
      let development = try await GatehouseServer.start(.init(), in: folder)
      try await development.stop()
      let refused = try await Command.run(
        [
          "serve", "--port", "0", "--data", folder.path + "/data", "--public-url",
          Production.publicURL,
        ], in: folder)
      #expect(refused.status != 0)
      #expect(refused.errors.contains("--dev"))
    }
  }

  @Test func `only an administrator's key administers`() async throws {
    try await Production.with { production, server, administrator in
      let body: JSON = ["localId": ["x"]]
      #expect(try await administrator.call(.post, "accounts:lookup", body).verdict == "200")
      for token in ["owner", "gha_" + String(repeating: "A", count: 43)] {
        var other = administrator
        other.token = token
        #expect(try await other.call(.post, "accounts:lookup", body).status == 401)
      }
      let withAPIKeyAlone = try await HTTP.post(
        "\(server.baseURL)/v1/projects/my-app/accounts:lookup?key=\(production.apiKey)", body)
      #expect(
        withAPIKeyAlone.verdict
          == "400 INSUFFICIENT_PERMISSION : Only authenticated requests can specify target_project_id."
      )
      let withNothing = try await HTTP.post(
        "\(server.baseURL)/v1/projects/my-app/accounts:lookup", body)
      #expect(withNothing.status == 403)
    }
  }

  @Test func `an administrator's key is for its project alone`() async throws {
    try await Production.with { production, server, administrator in
      let made = try await production.command(
        "projects", "create", "another", "--public-url", Production.publicURL)
      #expect(made.status == 0)
      let everywhere = try await production.command("admin-keys", "create", "--all")
      var other = administrator
      other.project = "another"
      let body: JSON = ["localId": ["x"]]
      // The server notices the second project within a second.
      var all = other
      all.token = try #require(everywhere.lines.first)
      let isKnown = try await Deadline.wait { [all] in
        try await all.call(.post, "accounts:lookup", body).status == 200
      }
      #expect(isKnown)
      #expect(try await other.call(.post, "accounts:lookup", body).status == 403)
    }
  }

  @Test func `an unknown API key is refused`() async throws {
    try await Production.with { production, server, _ in
      var app = server.app
      let refused = try await app.signUp(Unique.email(), "a long password")
      #expect(refused.verdict == "400 API key not valid. Please pass a valid API key.")
      app.apiKey = production.apiKey
      #expect(try await app.signUp(Unique.email(), "a long password").verdict == "200")
    }
  }

  @Test func `the emulator's control endpoints don't exist`() async throws {
    try await Production.with { _, server, _ in
      let reply = try await HTTP.send(
        .delete, "\(server.baseURL)/emulator/v1/projects/my-app/accounts",
        headers: [("authorization", "Bearer owner")])
      #expect(reply.status == 404)
    }
  }

  @Test func `an unsecured token is refused`() async throws {
    try await Production.with { production, server, _ in
      var app = server.app
      app.apiKey = production.apiKey
      let session = try await app.signUp(Unique.email(), "a long password")
      let token = try #require(session.json["idToken"].string)
      let payload = token.split(separator: ".")[1]
      // {"alg":"none","typ":"JWT"}
      let unsecured = "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.\(payload)."
      #expect(try await app.lookup(token).verdict == "200")
      #expect(try await app.lookup(unsecured).verdict == "400 INVALID_ID_TOKEN")
    }
  }

  @Test func `Google's Admin SDK verifies production's tokens under our issuer`() async throws {
    try await Production.with { production, server, administrator in
      try await Python.run(
        "admin_signatures.py",
        environment: production.clientEnvironment(server, administrator))
    }
  }

  @Test func `JWT libraries verify production's tokens through discovery`() async throws {
    try await Production.with { production, server, administrator in
      try await Python.run(
        "jwt_libraries.py", environment: production.clientEnvironment(server, administrator))
    }
  }

  @Test func `a provider that is added on the command line works within a second`()
    async throws
  {
    try await Production.with { production, _, administrator in
      let added = try await production.command(
        "providers", "add", "oidc.example", "--issuer", "https://id.example.com", "--client-id",
        "our-app")
      #expect(added.status == 0)
      let isThere = try await Deadline.wait {
        let shown = try await administrator.call(
          .get, "oauthIdpConfigs/oidc.example", version: "v2")
        return shown.json["clientId"] == "our-app"
      }
      #expect(isThere)
    }
  }

  @Test func `a provider with plain http is refused over REST`() async throws {
    try await Production.with { _, _, administrator in
      let refused = try await administrator.configure(
        "oidc.plain",
        ["issuer": "http://127.0.0.1:4000", "clientId": "our-app", "enabled": true])
      #expect(refused.status == 400)
    }
  }

  @Test func `a refused mode or master key changes nothing in the file`() async throws {
    try await TemporaryFolder.with { folder in
      let production = try await Production.make(in: folder)
      let file = URL(fileURLWithPath: folder.path + "/data/gatehouse.sqlite")
      let before = try Data(contentsOf: file)
      let other = try await Command.run(["keys", "new-master"], in: folder)
      let wrongKey = try await production.refusal(
        ["--public-url", Production.publicURL], masterKey: other.lines.first ?? "")
      #expect(wrongKey.errors.contains("Nothing was changed"))
      let wrongMode = try await production.refusal(["--dev", "--simulator-port", "0"])
      #expect(wrongMode.errors.contains("is for production"))
      #expect(try Data(contentsOf: file) == before)
    }
  }

  @Test func `an unknown variable and a proxy that isn't trusted cause warnings`()
    async throws
  {
    try await TemporaryFolder.with { folder in
      let production = try await Production.make(in: folder)
      let server = try await GatehouseServer.start(
        GatehouseServer.Options(
          isDevelopment: false, arguments: ["--public-url", Production.publicURL],
          environment: [
            "GATEHOUSE_MASTER_KEY": production.masterKey, "GATEHOUSE_PASSWORD_THREADS": "1",
          ]),
        in: folder)
      defer { server.process.kill() }
      #expect(try await server.stop() == 0)
      let errors = server.process.errors
      #expect(errors.contains("no setting for the environment variable GATEHOUSE_PASSWORD_THREADS"))
      #expect(errors.contains("server.trustedProxies names no proxy"))
      #expect(errors.contains("server started"))
      // There is no other output but that of the end, especially none from libraries.
      #expect(errors.split(separator: "\n").count == 6, "\(errors)")
    }
  }
}

extension Production {
  /// The environment for `Clients/support.py`.
  func clientEnvironment(
    _ server: GatehouseServer, _ administrator: Administrator
  ) -> [String: String] {
    [
      "GATEHOUSE_BASE": server.baseURL,
      "GATEHOUSE_PROJECT": project,
      "GATEHOUSE_API_KEY": apiKey,
      "GATEHOUSE_ADMIN_KEY": administrator.token,
      "GATEHOUSE_ISSUER_PREFIX": Self.publicURL + "/",
      "GATEHOUSE_PUBLIC_URL": Self.publicURL,
      "GATEHOUSE_DISCOVERY": "\(server.baseURL)/\(project)/.well-known/openid-configuration",
    ]
  }
}
