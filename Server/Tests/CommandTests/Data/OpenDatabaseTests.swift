import ArgumentParser
import Foundation
import GRDB
import GatehouseServer
import Testing

@testable import gatehouse

@Suite struct OpenDatabaseTests {
  private func options(_ folder: String, _ key: MasterKey) throws -> DataOptions {
    try DataOptions.parse(["--data", folder, "--master-key-file", try keyFile(folder, key)])
  }

  private func keyFile(_ folder: String, _ key: MasterKey) throws -> String {
    let file = folder + "/key"
    if !FileManager.default.fileExists(atPath: file) {
      try PrivateFile.write(Data(key.base64.reveal().utf8), toNew: file)
    }
    return file
  }

  /// What `projects list` does.
  private func countProjects(_ folder: String, _ key: MasterKey) async throws -> Int {
    try await options(folder, key).withDatabase { database in
      try await database.store.read { try $0.projects().count }
    }
  }

  /// Older servers may be running, and could not be started again after a migration.
  @Test func `a command uses tables of its version, and leaves older ones unchanged`()
    async throws
  {
    try await withTables { folder, key in
      let count = try await countProjects(folder, key)
      #expect(count == 0)
    }
    try await withOldTables { folder, key in
      await #expect {
        _ = try await countProjects(folder, key)
      } throws: { error in
        "\(error)"
          == "the tables of the database in \(folder) are 1 migrations behind this version. Nothing "
          + "was changed. Make a backup, then start the server of this version or run `gatehouse "
          + "migrate`: both migrate the tables"
      }
      let missing = try missingSteps(in: folder)
      #expect(missing == 1)
    }
  }

  @Test func `a missing database is created only if the caller says so`() async throws {
    try await withTables { folder, key in
      let other = folder + "/mistyped"
      let place = try DataOptions.parse(
        ["--data", other, "--master-key-file", try keyFile(folder, key)]
      ).place()
      await #expect {
        try await open(place, making: nil)
      } throws: { error in
        "\(error)"
          == "there is no database in \(other) (\(other)/gatehouse.sqlite: no such file); name its folder "
          + "with --data, or PostgreSQL with --database, or create one with `gatehouse projects create "
          + "ID --data \(other)`, or with `gatehouse console invite NAME --role owner --data \(other)`"
      }
      #expect(!FileManager.default.fileExists(atPath: other))
      try await open(place, making: .production)
      try await open(place, making: nil)
    }
  }

  @Test(
    arguments: [nil, OpenDatabase.Mode.production, .development],
    [("", false), ("\n", false), ("", true)])
  func `an emptied file is not taken for a new database, and its log stays`(
    _ making: OpenDatabase.Mode?, _ rest: (text: String, isLinked: Bool)
  ) async throws {
    try await withTables { folder, key in
      let place = try options(folder, key).place()
      try await open(place, making: making)
      let file = folder + "/gatehouse.sqlite"
      if rest.isLinked {
        let target = folder + "/elsewhere.sqlite"
        try FileManager.default.moveItem(atPath: file, toPath: target)
        try FileManager.default.createSymbolicLink(
          atPath: file, withDestinationPath: target)
        try Data().write(to: URL(fileURLWithPath: target))
      } else {
        try Data(rest.text.utf8).write(to: URL(fileURLWithPath: file))
      }
      try Data("log".utf8).write(to: URL(fileURLWithPath: file + "-wal"))
      await #expect {
        try await open(place, making: making)
      } throws: { error in
        "\(error)"
          == "the database in \(folder) is too short (\(file): \(rest.text.utf8.count) bytes). Nothing was changed. If it had data, "
          + "restore a backup: `gatehouse restore FILE --data \(folder)`. If its creation failed, remove "
          + "the file and repeat it"
      }
      #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data(rest.text.utf8))
      #expect(try Data(contentsOf: URL(fileURLWithPath: file + "-wal")) == Data("log".utf8))
      let findings = place.engine.findings(mode: .production, keys: nil)
      #expect(!findings.hasDatabase)
      #expect(findings.findings.map(\.detail).first?.contains("is too short") == true)
    }
  }

  @Test func `a database whose creation was interrupted is finished only by a caller that creates`()
    async throws
  {
    try await withTables { folder, key in
      let queue = try DatabaseQueue(path: folder + "/gatehouse.sqlite")
      try await queue.write { try $0.execute(sql: "DELETE FROM server_values") }
      try queue.close()
      let place = try options(folder, key).place()
      await #expect {
        try await open(place, making: nil)
      } throws: { error in
        "\(error)".hasPrefix("the creation of the database in \(folder) (")
          && "\(error)".hasSuffix("finish it with `gatehouse projects create ID --data \(folder)`")
      }
      try await open(place, making: .production)
      try await open(place, making: nil)
    }
  }

  private func open(_ place: DataPlace, making: OpenDatabase.Mode?) async throws {
    let database = try await OpenDatabase.open(
      place, requiring: nil, making: making, migrating: false)
    await database.store.close()
  }

  @Test func `a command that may create a database migrates none that exists`() async throws {
    try await withOldTables { folder, key in
      await #expect(throws: CommandFailure.self) {
        try await options(folder, key).withDatabase(making: .production) { _ in }
      }
      let missing = try missingSteps(in: folder)
      #expect(missing == 1)
    }
  }

  @Test func `a server migrates older tables`() async throws {
    try await withOldTables { folder, key in
      let database = try await OpenDatabase.open(
        try options(folder, key).place(), requiring: .production, making: .production,
        migrating: true)
      await database.store.close()
      let missing = try missingSteps(in: folder)
      #expect(missing == 0)
    }
  }

  @Test func `tables aren't migrated under a server of an earlier version`() async throws {
    try await withOldTables { folder, key in
      let place = try options(folder, key).place()
      let open = {
        try await OpenDatabase.open(
          place, requiring: .production, making: .production, migrating: true)
      }
      let mark = try ServingMark.make(
        in: folder, ServingMark.Contents(process: 4711, masterKeys: [key.name]))
      await #expect {
        _ = try await open()
      } throws: { error in
        "\(error)"
          == "a server uses the database in \(folder) (process 4711): stop it first. It is of an earlier "
          + "version, and could not work with the tables of this version. Nothing was changed"
      }
      #expect(throws: CommandFailure.self) { try place.refuseToMigrateWhileServing() }
      let missing = try missingSteps(in: folder)
      #expect(missing == 1)

      // With the same tables, two servers may run.
      _ = try place.engine.migrate()
      try place.refuseToMigrateWhileServing()
      let database = try await open()
      await database.store.close()
      mark.remove()
    }
  }
}
