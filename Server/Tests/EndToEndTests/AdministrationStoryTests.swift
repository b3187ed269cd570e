import Foundation
import Testing

/// From an empty database to a user who comes and goes, with an administrator on another machine than the server's.
@Suite struct AdministrationStoryTests {
  /// An empty production server, beside a simulator that is Apple and an OpenID provider for it.
  private struct Place {
    let folder: TemporaryFolder
    let server: GatehouseServer
    let providers: SimulatedProviders
    /// An owner's key for every project.
    let keyFile: String
    let issuer: String

    /// Runs a subcommand from where there is neither the database nor its settings.
    ///
    /// - Returns: What it prints, as JSON if `--json` is among the arguments.
    @discardableResult
    func command(_ arguments: String...) async throws -> Command {
      let done = try await Command.run(
        arguments,
        environment: [
          "GATEHOUSE_SERVER": server.baseURL, "GATEHOUSE_ADMIN_KEY_FILE": keyFile,
        ], in: folder)
      guard done.status == 0 else {
        throw ClientFailure("\(arguments): \(done.output)\(done.errors)")
      }
      return done
    }
  }

  private func withPlace(_ body: @Sendable (Place) async throws -> Void) async throws {
    try await TemporaryFolder.with { folder in
      let masterKey = try #require(
        try await Command.run(["keys", "new-master"], in: folder).lines.first)
      let environment = ["GATEHOUSE_MASTER_KEY": masterKey]
      let owner = try await Command.run(
        ["admin-keys", "create", "--all", "--role", "owner", "--data", folder.path + "/data"],
        environment: environment, in: folder)
      let keyFile = try folder.write("owner.key", try #require(owner.lines.first) + "\n")
      try await SecureSimulator.with(in: folder) { simulator in
        let server = try await GatehouseServer.start(
          GatehouseServer.Options(
            isDevelopment: false,
            arguments: ["--public-url", Production.publicURL] + simulator.settings,
            environment: environment), in: folder)
        defer { server.process.kill() }
        try await body(
          Place(
            folder: folder, server: server, providers: simulator.providers, keyFile: keyFile,
            issuer: simulator.issuer))
        #expect(try await server.stop() == 0)
      }
    }
  }

  @Test func `with the command alone`() async throws {
    try await withPlace { place in
      try await place.command("projects", "create", "shop", "--display-name", "Shop")
      let appFile = place.folder.path + "/GoogleService-Info.plist"
      try await place.command(
        "apps", "add", "--bundle-id", SimulatedProviders.bundleID, "--name", "Shop for iPhone",
        "--apple", "--output", appFile)
      let secret = try place.folder.write("secret", "a secret\n")
      try await place.command(
        "providers", "add", "oidc.company", "--issuer", place.issuer, "--client-id",
        SimulatedProviders.oidcClientID, "--client-secret-file", secret)
      for provider in ["apple", "oidc.company"] {
        let tested = try await place.command("providers", "test", provider)
        #expect(!tested.output.contains("FAIL"), "\(tested.output)")
      }

      let settings =
        try PropertyListSerialization.propertyList(
          from: try Data(contentsOf: URL(fileURLWithPath: appFile)), format: nil) as? [String: Any]
      let app = AppClient(
        baseURL: place.server.baseURL, apiKey: try #require(settings?["API_KEY"] as? String))
      let person = try await place.providers.person(
        email: "ada@example.com", givenName: "Ada")
      let signedIn = try await app.signIn(try await place.providers.apple(person).credential)
      let uid = try #require(signedIn.json["localId"].string, "\(signedIn.text)")
      let idToken = try #require(signedIn.json["idToken"].string)
      var company = try await place.providers.openID(person)
      company.provider = "oidc.company"
      let linked = try await app.signInWithIdp(postBody: company.postBody, idToken: idToken)
      #expect(linked.verdict == "200", "\(linked.text)")
      let refreshToken = try #require(linked.json["refreshToken"].string)

      let found = try await place.command(
        "users", "search", "ada", "--provider", "apple", "--json"
      ).json
      #expect(found["users"].array.map { $0["localId"].string } == [uid])
      let claims = #"{"role":"editor"}"#
      try await place.command("users", "set-claims", uid, "--claims", claims)
      try await place.command("users", "set-email", uid, "--email", "ada@corp.example.com")
      let shown = try await place.command("users", "show", uid, "--json").json
      #expect(shown["email"] == "ada@corp.example.com")
      #expect(shown["customAttributes"].string == claims)
      try await place.command("users", "revoke", uid)
      #expect(try await app.refresh(refreshToken).verdict == "400 TOKEN_EXPIRED")
      try await place.command("users", "delete", uid, "--yes")
      let gone = try await place.command("users", "search", "ada", "--json").json
      #expect(gone["users"].array.isEmpty)

      let events = try await place.command("audit", "list", "--limit", "100", "--json").json
      let kinds = events["events"].array.reversed().compactMap { $0["kind"].string }
      for kind in [
        "setting.changed", "account.created", "account.linked", "account.claims_changed",
        "account.email_changed", "account.tokens_revoked", "account.deleted",
      ] {
        #expect(kinds.contains(kind), "\(kinds)")
      }
      #expect(kinds.first == "setting.changed" && kinds.last == "account.deleted")
      try await place.command("audit", "verify")
    }
  }

  @Test func `with HTTP alone, as the server describes it`() async throws {
    try await withPlace { place in
      try await Python.run(
        "administration_story.py", [place.keyFile, place.issuer],
        environment: [
          "GATEHOUSE_BASE": place.server.baseURL, "GATEHOUSE_SIMULATOR": place.providers.baseURL,
        ])
    }
  }
}

extension Command {
  /// Standard output as JSON.
  fileprivate var json: JSON { JSON(reading: Data(output.utf8)) }
}
