import Testing

/// Session cookies with clients from other developers.
@Suite(.developmentServer)
struct SessionCookieTests {
  @Test func `Google's Admin SDK creates and verifies cookies with the emulator variable`()
    async throws
  {
    try await Python.run(
      "admin_session_cookies.py", environment: try suiteServer().clientEnvironment)
  }

  @Test func `Google's Admin SDK verifies cookies with our certificates`() async throws {
    var environment = try suiteServer().clientEnvironment
    environment["FIREBASE_AUTH_EMULATOR_HOST"] = nil
    try await Python.run("admin_cookie_signatures.py", environment: environment)
  }

  @Test func `JWT libraries verify cookies through discovery`() async throws {
    let server = try suiteServer()
    var environment = server.clientEnvironment
    environment["GATEHOUSE_COOKIE_DISCOVERY"] =
      "\(server.baseURL)/demo/session/.well-known/openid-configuration"
    try await Python.run("cookie_libraries.py", environment: environment)
  }
}

/// The cookie keys of a production server.
@Suite struct SessionCookieKeyTests {
  private static let certificates = [
    "/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com",
    "/www.googleapis.com/identitytoolkit/v3/relyingparty/publicKeys",
  ]

  @Test func `JWT libraries verify production's cookies under the session's issuer`()
    async throws
  {
    try await Production.with { production, server, administrator in
      var environment = production.clientEnvironment(server, administrator)
      let place = "\(production.project)/session/.well-known/openid-configuration"
      environment["GATEHOUSE_COOKIE_DISCOVERY"] = "\(server.baseURL)/\(place)"
      try await Python.run("cookie_libraries.py", environment: environment)
      let document = try await HTTP.get("\(server.baseURL)/\(place)").json
      #expect(
        document["issuer"].string == "\(Production.publicURL)/\(production.project)/session")
    }
  }

  @Test func `certificates are the same after a restart`() async throws {
    try await TemporaryFolder.with { folder in
      let production = try await Production.make(in: folder)
      var seen: [[JSON]] = []
      for _ in 0..<2 {
        let server = try await production.start()
        var documents: [JSON] = []
        for path in Self.certificates {
          documents.append(try await HTTP.get(server.baseURL + path).json)
        }
        seen.append(documents)
        try await server.stop()
      }
      for (first, second) in zip(seen[0], seen[1]) {
        let names = first.names
        #expect(names.count == 2)
        #expect(second.names == names)
        #expect(names.allSatisfy { first[$0].string?.contains("BEGIN CERTIFICATE") == true })
        // The RSA key's certificate has the same bytes after the restart. Verifiers use it unless a project
        // chose ES256.
        #expect(names.filter { first[$0] == second[$0] }.count >= 1)
      }
    }
  }

  @Test func `cookie keys are listed and rotated separately`() async throws {
    try await TemporaryFolder.with { folder in
      let production = try await Production.make(in: folder)
      let server = try await production.start()
      defer { server.process.kill() }
      let before = try await keys(production)
      #expect(
        before.map(\.signs) == [
          "ID tokens", "ID tokens", "session cookies", "session cookies",
          "checkpoints of the event log",
        ])
      let rotated = try await production.command("keys", "rotate", "--session-cookies")
      #expect(rotated.status == 0)
      let after = try await keys(production)
      // A rotation adds one key of each algorithm.
      #expect(after.count == before.count + 2)
      #expect(after.filter { $0.signs == "session cookies" }.count == 4)
      #expect(Set(before.map(\.id)).isSubset(of: after.map(\.id)))
      // The running server loads the change.
      let new = Set(after.map(\.id)).subtracting(before.map(\.id))
      let isPublished = try await Deadline.wait {
        let text = try await HTTP.get("\(server.baseURL)/v1/sessionCookiePublicKeys").text
        return new.allSatisfy { text.contains($0) }
      }
      #expect(isPublished)
      try await server.stop()
    }
  }

  private func keys(_ production: Production) async throws -> [(id: String, signs: String)] {
    try await production.command("keys", "list").lines.dropFirst().map { line in
      let id = String(line.prefix { $0 != " " })
      let rings = ["ID tokens", "session cookies", "checkpoints of the event log"]
      return (id, try #require(rings.first { line.contains($0) }))
    }
  }
}
