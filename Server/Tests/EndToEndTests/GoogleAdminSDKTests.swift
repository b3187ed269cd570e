import Testing

/// Google's own Admin SDK for Python against a development server.
@Suite(.developmentServer)
struct GoogleAdminSDKTests {
  @Test(arguments: [
    "admin_accounts.py", "admin_tokens.py", "admin_providers.py", "admin_errors.py",
  ])
  func `Google's Admin SDK works with the emulator variable`(client: String) async throws {
    try await Python.run(client, environment: try suiteServer().clientEnvironment)
  }

  @Test(arguments: ["admin_signatures.py", "admin_expiry.py"])
  func `Google's Admin SDK verifies our signatures with our certificates`(
    client: String
  ) async throws {
    var environment = try suiteServer().clientEnvironment
    environment["FIREBASE_AUTH_EMULATOR_HOST"] = nil
    try await Python.run(client, environment: environment)
  }
}

/// More accounts than one response contains, on a separate server.
@Suite(.developmentServer)
struct GoogleAdminSDKBulkTests {
  @Test func `Google's Admin SDK lists, finds and deletes more than a thousand`() async throws {
    try await Python.run("admin_bulk.py", environment: try suiteServer().clientEnvironment)
  }
}

/// PyJWT, joserfc and Apache, which fetch our keys as they fetch any issuer's.
@Suite(.developmentServer)
struct JWTLibraryTests {
  @Test(arguments: ["", "/demo"])
  func `JWT libraries verify our ID tokens through discovery`(place: String) async throws {
    let server = try suiteServer()
    var environment = server.clientEnvironment
    environment["GATEHOUSE_DISCOVERY"] =
      "\(server.baseURL)\(place)/.well-known/openid-configuration"
    try await Python.run("jwt_libraries.py", environment: environment)
  }

  @Test func `they verify ID tokens and cookies of a project that signs with ES256`() async throws {
    try await GatehouseServer.with { server in
      let changed = try await server.administrator.call(
        .patch, "config?updateMask=tokens.algorithm", ["tokens": ["algorithm": "ES256"]],
        version: "v2")
      #expect(changed.status == 200, "\(changed.text)")
      var environment = server.clientEnvironment
      environment["GATEHOUSE_ALGORITHM"] = "ES256"
      let place = "\(server.baseURL)/demo"
      environment["GATEHOUSE_DISCOVERY"] = place + "/.well-known/openid-configuration"
      environment["GATEHOUSE_COOKIE_DISCOVERY"] =
        place + "/session/.well-known/openid-configuration"
      try await Python.run("jwt_libraries.py", environment: environment)
      try await Python.run("cookie_libraries.py", environment: environment)
    }
  }

  @Test func `Apache verifies our ID tokens with the guide's configuration`() async throws {
    var environment = try suiteServer().clientEnvironment
    environment["GATEHOUSE_ROOT"] = Python.repository
    try await Python.run("apache_guide.py", environment: environment)
  }
}

extension GatehouseServer {
  /// The environment for `Clients/support.py`.
  var clientEnvironment: [String: String] {
    [
      "GATEHOUSE_BASE": baseURL,
      "GATEHOUSE_SIMULATOR": simulatorURL,
      "FIREBASE_AUTH_EMULATOR_HOST": baseURL.replacing("http://", with: ""),
    ]
  }
}
