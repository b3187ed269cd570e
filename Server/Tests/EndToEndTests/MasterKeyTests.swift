import Foundation
import Testing

/// Rotations of the master key while a server runs.
@Suite struct MasterKeyTests {
  /// A production database whose master key is in a file.
  private static func with(
    _ body: (Production, String, GatehouseServer) async throws -> Void
  ) async throws {
    try await TemporaryFolder.with { folder in
      let production = try await Production.make(in: folder)
      let file = try folder.write("master.key", production.masterKey + "\n")
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
      let server = try await start(folder, file)
      defer { server.process.kill() }
      try await body(production, file, server)
    }
  }

  private static func start(
    _ folder: TemporaryFolder, _ file: String
  ) async throws -> GatehouseServer {
    try await GatehouseServer.start(
      GatehouseServer.Options(
        isDevelopment: false,
        arguments: ["--public-url", Production.publicURL, "--master-key-file", file]),
      in: folder)
  }

  private static func command(
    _ production: Production, _ file: String, _ arguments: String...
  ) async throws -> Command {
    try await Command.run(
      arguments + ["--data", production.folder.path + "/data", "--master-key-file", file],
      in: production.folder)
  }

  @Test func `sessions and secrets survive a rotation under a running server, and a restart`()
    async throws
  {
    try await Self.with { production, file, server in
      var app = server.app
      app.apiKey = production.apiKey
      let session = try await app.signUp(Unique.email(), "a long password")
      let early = try #require(session.json["refreshToken"].string)
      let other = try await app.signUp(Unique.email(), "a long password")
      let idle = try #require(other.json["refreshToken"].string)

      let rotated = try await Self.command(production, file, "keys", "rotate-master")
      #expect(rotated.status == 0, "\(rotated.errors)")
      let old = early.prefix(8)
      // The server notices the rotation within a second, and then issues tokens with the new key.
      var latest = early
      let isMoved = try await Deadline.wait { [app] in
        let refreshed = try await app.refresh(latest)
        #expect(refreshed.verdict == "200")
        latest = try #require(refreshed.json["refresh_token"].string)
        return latest.prefix(8) != old
      }
      #expect(isMoved)
      #expect(try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").count == 2)

      let early2 = try await Self.command(production, file, "keys", "retire-master")
      #expect(early2.status == 1)
      #expect(early2.errors.contains("seconds ago"))
      #expect(try await app.refresh(idle).verdict == "200")

      #expect(try await server.stop() == 0)
      let again = try await Self.start(production.folder, file)
      defer { again.process.kill() }
      app = again.app
      app.apiKey = production.apiKey
      #expect(try await app.refresh(latest).verdict == "200")
      #expect(try await again.stop() == 0)
      // The old key alone no longer opens the database.
      let refused = try await production.refusal(["--public-url", Production.publicURL])
      #expect(refused.status != 0)
      #expect(refused.errors.contains("the master key is not the one of the database"))
    }
  }

  @Test func `the retired key's tokens end, and the others go on`() async throws {
    try await Self.with { production, file, server in
      var app = server.app
      app.apiKey = production.apiKey
      let session = try await app.signUp(Unique.email(), "a long password")
      let early = try #require(session.json["refreshToken"].string)
      #expect(try await Self.command(production, file, "keys", "rotate-master").status == 0)
      let retired = try await Self.command(
        production, file, "keys", "retire-master", "--end-sessions")
      #expect(retired.status == 0, "\(retired.errors)")
      #expect(try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").count == 1)
      let isEnded = try await Deadline.wait { [app] in
        try await app.refresh(early).verdict == "400 INVALID_REFRESH_TOKEN"
      }
      #expect(isEnded)
      let fresh = try await app.signUp(Unique.email(), "a long password")
      let token = try #require(fresh.json["refreshToken"].string)
      #expect(try await app.refresh(token).verdict == "200")
      let nothing = try await Self.command(production, file, "keys", "retire-master")
      #expect(nothing.output.contains("There is no former master key."))
    }
  }

  @Test func `a rotation that a server couldn't learn of changes nothing`() async throws {
    try await Production.with { production, server, _ in
      let file = try production.folder.write("master.key", production.masterKey + "\n")
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
      let refused = try await Self.command(production, file, "keys", "rotate-master")
      #expect(refused.status == 1)
      #expect(refused.errors.contains("doesn't have the new master key"))
      #expect(refused.errors.contains("Nothing was encrypted"))
      var app = server.app
      app.apiKey = production.apiKey
      #expect(try await app.signUp(Unique.email(), "a long password").verdict == "200")
      // With both keys in the variable, the rotation continues with the new key of the file.
      try await server.stop()
      let keys = try String(contentsOfFile: file, encoding: .utf8)
        .split(separator: "\n").joined(separator: " ")
      let rotated = try await Command.run(
        ["keys", "rotate-master", "--data", production.folder.path + "/data"],
        environment: ["GATEHOUSE_MASTER_KEY": keys], in: production.folder)
      #expect(rotated.status == 0, "\(rotated.errors)")
      let both = try await production.refusal(["--public-url", Production.publicURL])
      #expect(both.errors.contains("the master key is not the one of the database"))
    }
  }

  @Test func `a former key in a variable is named until the operator removes it`() async throws {
    try await TemporaryFolder.with { folder in
      let production = try await Production.make(in: folder)
      let new = try #require(try await Command.run(["keys", "new-master"], in: folder).lines.first)
      let command = { (keys: String, arguments: [String]) in
        try await Command.run(
          ["keys"] + arguments + ["--data", folder.path + "/data"],
          environment: ["GATEHOUSE_MASTER_KEY": keys], in: folder)
      }
      let both = production.masterKey + " " + new
      #expect(try await command(both, ["rotate-master"]).status == 0)
      for _ in 0..<2 {
        let named = try await command(both, ["retire-master", "--end-sessions"])
        #expect(named.status == 0, "\(named.errors)")
        #expect(named.output.hasPrefix("Remove "))
      }
      // A machine whose variable still has the old key doesn't rotate back to it.
      let again = try await command(both, ["rotate-master"])
      #expect(again.status == 1)
      #expect(again.errors.contains("the master key is given as a value"))
      let removed = try await command(new, ["retire-master"])
      #expect(removed.output == "There is no former master key.\n")
    }
  }

  @Test func `a key that is given as a value is not rotated`() async throws {
    try await TemporaryFolder.with { folder in
      let production = try await Production.make(in: folder)
      let refused = try await production.command("keys", "rotate-master")
      #expect(refused.status == 1)
      #expect(refused.errors.contains("--master-key-file"))
    }
  }
}
