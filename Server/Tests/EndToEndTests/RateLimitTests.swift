import Testing

/// Attempts are rate-limited, also across restarts.
@Suite struct RateLimiterTests {
  private static let refusal =
    "400 TOO_MANY_ATTEMPTS_TRY_LATER : Too many attempts. Try again later."
  private static let password = "a long password"
  private static let cheap = ["--set", "passwords.logCost=10"]

  @Test func `ten wrong passwords stop the account, also after kill -9`() async throws {
    try await TemporaryFolder.with { folder in
      let production = try await Production.make(in: folder)
      let first = try await start(production)
      defer { first.process.kill() }
      let email = Unique.email("guessed")
      let app = app(first, production)
      #expect(try await app.signUp(email, Self.password).verdict == "200")
      for _ in 0..<10 {
        #expect(try await app.signIn(email, "a guess").verdict == "400 INVALID_LOGIN_CREDENTIALS")
      }
      #expect(try await app.signIn(email, Self.password).verdict == Self.refusal)
      try await first.killHard()

      let second = try await start(production)
      defer { second.process.kill() }
      let again = self.app(second, production)
      #expect(try await again.signIn(email, Self.password).verdict == Self.refusal)
      // Unknown accounts are limited in the same way, so the limit doesn't reveal which exist.
      for _ in 0..<10 {
        let verdict = try await again.signIn("nobody@example.com", "a guess").verdict
        #expect(verdict == "400 INVALID_LOGIN_CREDENTIALS")
      }
      #expect(try await again.signIn("nobody@example.com", "a guess").verdict == Self.refusal)
      let metrics = try await HTTP.get(try #require(second.metricsURL)).text
      #expect(
        metrics.contains("gatehouse_refusals_total{code=\"TOO_MANY_ATTEMPTS_TRY_LATER\"} 2\n"))
      #expect(try await second.stop() == 0)
    }
  }

  @Test func `behind a trusted proxy, the limit applies to the client's address`()
    async throws
  {
    try await TemporaryFolder.with { folder in
      let production = try await Production.make(in: folder)
      let set = try await production.command(
        "projects", "set", production.project, "rateLimits.signUpsPerAddress=1")
      #expect(set.status == 0, "\(set.errors)")
      let server = try await start(production, ["--set", "server.trustedProxies=127.0.0.0/8"])
      defer { server.process.kill() }
      let app = app(server, production)
      func signUp(_ client: String) async throws -> String {
        try await app.call(
          "signUp",
          ["email": .string(Unique.email()), "password": .string(Self.password)],
          headers: [("x-forwarded-for", client)]
        ).verdict
      }
      #expect(try await signUp("203.0.113.1") == "200")
      #expect(try await signUp("203.0.113.1") == Self.refusal)
      #expect(try await signUp("198.51.100.1, 203.0.113.1") == Self.refusal)
      #expect(try await signUp("203.0.113.2") == "200")
      #expect(try await server.stop() == 0)
    }
  }

  @Test func `invalid networks and other headers are configuration faults`()
    async throws
  {
    try await TemporaryFolder.with { folder in
      let refused = try await Command.run(
        [
          "serve", "--dev", "--data", folder.path + "/data", "--set",
          "server.trustedProxies=10.0.0.0/33,10.1.0.0/8", "--set", "server.forwardedHeader=Via",
        ], in: folder)
      #expect(refused.status != 0)
      for fault in ["“10.0.0.0/33”", "“10.1.0.0/8”", "neither X-Forwarded-For nor Forwarded"] {
        #expect(refused.errors.contains(fault), "\(refused.errors)")
      }
    }
  }

  private func start(
    _ production: Production, _ arguments: [String] = []
  ) async throws -> GatehouseServer {
    try await GatehouseServer.start(
      GatehouseServer.Options(
        isDevelopment: false,
        arguments: ["--public-url", Production.publicURL, "--metrics-port", "0"] + Self.cheap
          + arguments,
        environment: ["GATEHOUSE_MASTER_KEY": production.masterKey]),
      in: production.folder)
  }

  private func app(_ server: GatehouseServer, _ production: Production) -> AppClient {
    var app = server.app
    app.apiKey = production.apiKey
    return app
  }
}
