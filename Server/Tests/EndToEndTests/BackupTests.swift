import Foundation
import Synchronization
import Testing

/// A backup under load contains every write that was acknowledged before it began.
@Suite struct BackupTests {
  private static let workers = 6
  private static let accountsBefore = 40

  private struct Session: Sendable {
    let uid: String
    let refreshToken: String
  }

  /// The writes that are acknowledged during the backup.
  private final class Load: Sendable {
    private let state = Mutex((made: [Session](), isOver: false))

    var made: [Session] { state.withLock { $0.made } }
    var isOver: Bool { state.withLock { $0.isOver } }

    func add(_ session: Session) { state.withLock { $0.made.append(session) } }
    func end() { state.withLock { $0.isOver = true } }
  }

  @Test func `a backup under load is restored with every account and session before it`()
    async throws
  {
    try await Production.with { production, server, _ in
      _ = try await production.command(
        "projects", "set", "my-app", "allowsAnonymous=true", "rateLimits.signUpsPerAddress=10000")
      var app = server.app
      app.apiKey = production.apiKey
      let isOn = try await Deadline.wait { [app] in
        try await Self.signUp(app) != nil
      }
      #expect(isOn)
      let backup = production.folder.path + "/backup.sqlite"
      let before = try await Self.backUp(production, app, to: backup)
      try await server.stop()

      let restored = try await production.command("restore", backup)
      #expect(restored.status == 0, "\(restored.errors)")
      let names = try FileManager.default.contentsOfDirectory(
        atPath: production.folder.path + "/data")
      #expect(names.contains { $0.contains(".before-") })

      let again = try await production.start()
      defer { again.process.kill() }
      app = again.app
      app.apiKey = production.apiKey
      for session in before {
        let refreshed = try await app.refresh(session.refreshToken)
        #expect(refreshed.verdict == "200")
        #expect(refreshed.json["user_id"].string == session.uid)
      }
      #expect(try await again.stop() == 0)
    }
  }

  /// Creates a backup while accounts are created, and returns those that existed before it began.
  private static func backUp(
    _ production: Production, _ app: AppClient, to path: String
  ) async throws -> [Session] {
    let load = Load()
    return try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<workers {
        group.addTask {
          while !load.isOver {
            let session = try #require(try await signUp(app))
            load.add(session)
          }
        }
      }
      defer { load.end() }
      let isEnough = try await Deadline.wait {
        load.made.count >= accountsBefore
      }
      #expect(isEnough)
      let before = load.made
      let backup = try await production.command("backup", path)
      #expect(backup.status == 0, "\(backup.errors)")
      #expect(backup.output.contains("The backup doesn't contain the master key"))
      load.end()
      try await group.waitForAll()
      return before
    }
  }

  private static func signUp(_ app: AppClient) async throws -> Session? {
    let reply = try await app.call("signUp", ["returnSecureToken": true])
    guard let uid = reply.json["localId"].string, let token = reply.json["refreshToken"].string
    else { return nil }
    return Session(uid: uid, refreshToken: token)
  }

  @Test func `a backup doesn't replace a database that a server has open`() async throws {
    try await Production.with { production, server, _ in
      let backup = production.folder.path + "/backup.sqlite"
      #expect(try await production.command("backup", backup).status == 0)
      let refused = try await production.command("restore", backup)
      #expect(refused.status == 1)
      #expect(refused.errors.contains("a server uses the database in "))
      #expect(refused.errors.contains("Nothing was replaced"))
      #expect(try await HTTP.get(server.baseURL + "/readyz").status == 200)
    }
  }

  @Test func `a backup under another master key is refused and replaces nothing`()
    async throws
  {
    try await TemporaryFolder.with { folder in
      let production = try await Production.make(in: folder)
      let backup = folder.path + "/backup.sqlite"
      #expect(try await production.command("backup", backup).status == 0)
      _ = try await production.command(
        "projects", "create", "another", "--public-url", Production.publicURL)
      let other = try await Command.run(["keys", "new-master"], in: folder)
      let refused = try await Command.run(
        ["restore", backup, "--data", folder.path + "/data"],
        environment: ["GATEHOUSE_MASTER_KEY": try #require(other.lines.first)], in: folder)
      #expect(refused.status == 1)
      #expect(refused.errors.contains("the backup is encrypted under the master key with the id "))
      #expect(try await production.command("projects", "list").output.contains("another"))
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/data")
      #expect(files == ["gatehouse.sqlite"])
    }
  }

  @Test func `a backup of --dev doesn't replace a production database`() async throws {
    try await TemporaryFolder.with { folder in
      let production = try await Production.make(in: folder)
      try await TemporaryFolder.with { other in
        let development = try await GatehouseServer.start(
          .init(environment: ["GATEHOUSE_MASTER_KEY": production.masterKey]), in: other)
        try await development.stop()
        let backup = folder.path + "/dev.sqlite"
        let made = try await Command.run(
          ["backup", backup, "--data", other.path + "/data"], in: other)
        #expect(made.status == 0, "\(made.errors)")
        let refused = try await production.command("restore", backup)
        #expect(refused.status == 1)
        #expect(refused.errors.contains("the backup is of a dev database"))
      }
    }
  }

  @Test func `backups in a folder are named by time, and the oldest are deleted`() async throws {
    try await TemporaryFolder.with { folder in
      let production = try await Production.make(in: folder)
      let backups = folder.path + "/backups"
      try FileManager.default.createDirectory(
        atPath: backups, withIntermediateDirectories: false)
      for name in ["gatehouse-20200101T000000Z.sqlite", "gatehouse-20200102T000000Z.sqlite"] {
        _ = try await production.command("backup", backups + "/" + name)
      }
      _ = try folder.write("backups/gatehouse-20200103T000000Z.sqlite.part", "of a killed backup")
      let made = try await production.command("backup", backups, "--keep", "2")
      #expect(made.status == 0, "\(made.errors)")
      let names = try FileManager.default.contentsOfDirectory(atPath: backups).sorted()
      #expect(names.count == 2)
      #expect(names.first == "gatehouse-20200102T000000Z.sqlite")
    }
  }

  @Test func `a missing folder is an error that names it`() async throws {
    try await TemporaryFolder.with { folder in
      let production = try await Production.make(in: folder)
      let refused = try await production.command("backup", "/nowhere/backup.sqlite")
      #expect(refused.status == 1)
      #expect(
        refused.errors
          == "Error: /nowhere/backup.sqlite.part can't be created: No such file or directory\n")
    }
  }

  @Test func `an existing file is not replaced`() async throws {
    try await TemporaryFolder.with { folder in
      let production = try await Production.make(in: folder)
      let path = try folder.write("mine", "mine")
      let refused = try await production.command("backup", path)
      #expect(refused.status == 1)
      #expect(refused.errors.contains("--force"))
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
      #expect(try await production.command("backup", path, "--force").status == 0)
    }
  }
}
