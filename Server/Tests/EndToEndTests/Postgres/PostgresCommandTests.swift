import Foundation
import Testing

/// The commands of an operator who chose PostgreSQL.
@Suite struct PostgresCommandTests {
  private struct Place {
    let folder: TemporaryFolder
    let database: TestDatabase
    let masterKey: String

    func command(_ arguments: String...) async throws -> Command {
      try await Command.run(
        arguments + ["--database", database.url],
        environment: TestDatabase.patience.merging(["GATEHOUSE_MASTER_KEY": masterKey]) { $1 },
        in: folder)
    }

    func start() async throws -> GatehouseServer {
      try await GatehouseServer.start(
        GatehouseServer.Options(
          isDevelopment: false,
          arguments: ["--public-url", Production.publicURL, "--database", database.url],
          environment: TestDatabase.patience.merging(["GATEHOUSE_MASTER_KEY": masterKey]) { $1 }),
        in: folder)
    }
  }

  private func withPlace(_ body: (Place) async throws -> Void) async throws {
    try await TemporaryFolder.with { folder in
      let key = try await Command.run(["keys", "new-master"], in: folder)
      try await body(
        Place(
          folder: folder, database: try TestDatabase.make(),
          masterKey: try #require(key.lines.first)))
    }
  }

  @Test func `from an empty database to a sign-in, and no file is made but that of the timeline`()
    async throws
  {
    try await withPlace { place in
      let early = try await place.command("projects", "list")
      #expect(early.status != 0)
      #expect(early.errors.contains("gatehouse projects create ID --database postgres://…"))
      let made = try await place.command(
        "projects", "create", "my-app", "--public-url", Production.publicURL)
      #expect(made.status == 0, "\(made.errors)")
      let words = made.output.split(whereSeparator: \.isWhitespace).map(String.init)
      let apiKey = try #require(words.first { $0.hasPrefix("gk_") })
      let key = try await place.command("admin-keys", "create", "--project", "my-app")
      let created = try await place.command(
        "users", "create", "--email", "ann@example.com")
      #expect(created.status == 0, "\(created.errors)")

      let server = try await place.start()
      defer { server.process.kill() }
      var app = server.app
      app.apiKey = apiKey
      let session = try await app.signUp(Unique.email(), "a long password")
      #expect(session.verdict == "200")
      let administrator = Administrator(
        baseURL: server.baseURL, token: try #require(key.lines.first), project: "my-app")
      let uid = try #require(session.json["localId"].string)
      #expect(try await administrator.account(uid)["localId"].string == uid)
      let doctor = try await Command.run(
        [
          "doctor", "--offline", "--public-url", Production.publicURL, "--database",
          place.database.url,
        ],
        environment: ["GATEHOUSE_MASTER_KEY": place.masterKey], in: place.folder)
      #expect(doctor.output.contains("1 projects, 2 accounts"))
      #expect(doctor.output.contains("master key: "))
      #expect(try await server.stop() == 0)
      let files = try FileManager.default.contentsOfDirectory(atPath: place.folder.path + "/data")
      #expect(files == ["postgres-timeline.json"])
    }
  }

  @Test func `two servers count wrong passwords together`() async throws {
    try await withPlace { place in
      let made = try await place.command(
        "projects", "create", "my-app", "--public-url", Production.publicURL)
      let words = made.output.split(whereSeparator: \.isWhitespace).map(String.init)
      let apiKey = try #require(words.first { $0.hasPrefix("gk_") })
      let servers = [try await place.start(), try await place.start()]
      defer { for server in servers { server.process.kill() } }
      let apps = servers.map { AppClient(baseURL: $0.baseURL, apiKey: apiKey) }
      let email = Unique.email("guessed")
      #expect(try await apps[0].signUp(email, "a long password").verdict == "200")
      for number in 0..<10 {
        let verdict = try await apps[number % 2].signIn(email, "a guess").verdict
        #expect(verdict == "400 INVALID_LOGIN_CREDENTIALS")
      }
      for app in apps {
        let verdict = try await app.signIn(email, "a long password").verdict
        #expect(verdict.hasPrefix("400 TOO_MANY_ATTEMPTS_TRY_LATER"))
      }
    }
  }

  @Test func `another master key, another mode and another version are refused`() async throws {
    try await withPlace { place in
      _ = try await place.command(
        "projects", "create", "my-app", "--public-url", Production.publicURL)
      let other = try #require(
        try await Command.run(["keys", "new-master"], in: place.folder).lines.first)
      let wrongKey = try await Command.run(
        ["projects", "list", "--database", place.database.url],
        environment: ["GATEHOUSE_MASTER_KEY": other], in: place.folder)
      #expect(wrongKey.status != 0)
      #expect(wrongKey.errors.contains("the master key is not the one of the database"))
      let wrongMode = try await Command.run(
        [
          "serve", "--dev", "--port", "0", "--simulator-port", "0", "--database",
          place.database.url,
        ], environment: ["GATEHOUSE_MASTER_KEY": place.masterKey], in: place.folder)
      #expect(wrongMode.status != 0)
      #expect(wrongMode.errors.contains("--dev doesn't open it"))
    }
  }

  @Test func `backup and restore name PostgreSQL's own tools`() async throws {
    try await withPlace { place in
      for command in ["backup", "restore"] {
        let refused = try await place.command(command, "file")
        #expect(refused.status != 0)
        #expect(refused.errors.contains("pg_dump"))
      }
    }
  }

  @Test(arguments: [
    ("mysql://example.com/app", "it doesn't begin with postgres://"),
    ("postgres://user@example.com:port/app", "no connection to PostgreSQL: invalid integer value"),
    ("postgres://u:made-up-secret@127.0.0.1:1/app", "no connection to PostgreSQL: "),
    ("postgres://u:made-up-secret@[::1/app", "libpq's parameters"),
  ])
  func `a wrong address is refused, and its password not shown`(
    _ url: String, _ reason: String
  ) async throws {
    try await TemporaryFolder.with { folder in
      let refused = try await Command.run(
        ["projects", "list", "--database", url],
        environment: ["GATEHOUSE_MASTER_KEY": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="],
        in: folder)
      #expect(refused.status != 0)
      #expect(refused.errors.contains(reason), "\(refused.errors)")
      #expect(!refused.errors.contains("made-up-secret"))
    }
  }

  @Test func `migrate prepares an empty database, once`() async throws {
    try await withPlace { place in
      let early = try await place.command("migrate", "--check")
      #expect(early.errors.contains("has no tables yet"))
      let first = try await place.command("migrate")
      #expect(first.output.contains("Applied initial."))
      let second = try await place.command("migrate")
      #expect(second.output == "The tables were up to date.\n")
      let check = try await place.command("migrate", "--check")
      #expect(check.output == "The tables are up to date.\n")
    }
  }

  @Test func `a copy to PostgreSQL and back keeps users and their sessions`() async throws {
    try await Production.with { production, server, administrator in
      var app = server.app
      app.apiKey = production.apiKey
      let email = Unique.email()
      let session = try await app.signUp(email, "a long password")
      let refreshToken = try #require(session.json["refreshToken"].string)
      let database = try TestDatabase.make()
      let data = production.folder.path + "/data"
      let refused = try await production.copy(from: data, to: database.url)
      #expect(refused.errors.contains("stop it first"))
      try await server.stop()

      let copied = try await production.copy(from: data, to: database.url)
      #expect(copied.status == 0, "\(copied.errors)")
      let again = try await production.copy(from: data, to: database.url)
      #expect(again.errors.contains("isn't empty"))

      let onPostgres = try await GatehouseServer.start(
        GatehouseServer.Options(
          isDevelopment: false,
          arguments: ["--public-url", Production.publicURL, "--database", database.url],
          environment: TestDatabase.patience
            .merging(["GATEHOUSE_MASTER_KEY": production.masterKey]) { $1 }),
        in: production.folder)
      defer { onPostgres.process.kill() }
      app = AppClient(baseURL: onPostgres.baseURL)
      app.apiKey = production.apiKey
      let refreshed = try await app.refresh(refreshToken)
      #expect(refreshed.verdict == "200")
      #expect(try await app.signIn(email, "a long password").verdict == "200")
      let later = try await app.signUp(Unique.email(), "a long password")
      #expect(later.verdict == "200")
      try await onPostgres.stop()

      let back = production.folder.path + "/back"
      let returned = try await production.copy(from: database.url, to: back)
      #expect(returned.status == 0, "\(returned.errors)")
      let users = try await Command.run(
        ["users", "list", "--data", back],
        environment: ["GATEHOUSE_MASTER_KEY": production.masterKey], in: production.folder)
      #expect(users.output.contains(try #require(later.json["localId"].string)))
    }
  }

  @Test func `no server opens a database before its copy is complete`() async throws {
    try await withPlace { place in
      _ = try await place.command("migrate")
      try place.database.run(
        "INSERT INTO server_values VALUES ('copy', '\\x7b7d')")
      let refused = try await place.command(
        "projects", "create", "my-app", "--public-url", Production.publicURL)
      #expect(refused.status != 0)
      #expect(refused.errors.contains("`gatehouse copy`"), "\(refused.errors)")
      for arguments in [
        ["users", "list"], ["projects", "list"], ["doctor", "--public-url", Production.publicURL],
      ] {
        let named = try await Command.run(
          arguments + ["--database", place.database.url],
          environment: TestDatabase.patience.merging(["GATEHOUSE_MASTER_KEY": place.masterKey]) {
            $1
          },
          in: place.folder)
        #expect(named.status == 1)
        #expect((named.output + named.errors).contains("contains an unfinished copy"), "\(named)")
      }
    }
  }

  @Test func `a copy that PostgreSQL interrupts says how to continue, and continues`() async throws
  {
    try await TemporaryFolder.with { folder in
      let production = try await Production.make(in: folder)
      let data = folder.path + "/data"
      let database = try TestDatabase.make()
      _ = try await production.command("migrate", "--database", database.url)
      try database.run(
        """
        CREATE FUNCTION interrupt() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$
        """)
      try database.run(
        "CREATE TRIGGER interrupt BEFORE INSERT ON api_keys FOR EACH ROW EXECUTE FUNCTION interrupt()"
      )
      let interrupted = try await production.copy(from: data, to: database.url)
      #expect(interrupted.status == 1)
      #expect(interrupted.errors.hasPrefix("Error: the copy was interrupted: "))
      #expect(interrupted.errors.contains("run the same command again"))
      try database.run("DROP TRIGGER interrupt ON api_keys")
      let copied = try await production.copy(from: data, to: database.url)
      #expect(copied.status == 0, "\(copied.errors)")
    }
  }
}

extension Production {
  fileprivate func copy(from source: String, to target: String) async throws -> Command {
    try await Command.run(["copy", "--from", source, "--to", target], in: folder)
  }
}
