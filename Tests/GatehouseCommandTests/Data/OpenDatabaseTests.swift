import ArgumentParser
import Foundation
import GatehouseAccounts
import GatehouseOperation
import Testing

@testable import gatehouse

@Suite struct OpenDatabaseTests {
  private func options(_ folder: String, _ key: MasterKey) throws -> DataOptions {
    let file = folder + "/key"
    if !FileManager.default.fileExists(atPath: file) {
      try PrivateFile.write(Data(key.base64.reveal().utf8), toNew: file)
    }
    return try DataOptions.parse(["--data", folder, "--master-key-file", file])
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
    try await withTables(missing: 0) { folder, key in
      let count = try await countProjects(folder, key)
      #expect(count == 0)
    }
    try await withTables(missing: 1) { folder, key in
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

  @Test func `a command that may create a database migrates none that exists`() async throws {
    try await withTables(missing: 1) { folder, key in
      await #expect(throws: CommandFailure.self) {
        try await options(folder, key).withDatabase(making: .production) { _ in }
      }
      let missing = try missingSteps(in: folder)
      #expect(missing == 1)
    }
  }

  @Test func `a server migrates older tables`() async throws {
    try await withTables(missing: 1) { folder, key in
      let database = try await OpenDatabase.open(
        try options(folder, key).place(), requiring: .production, making: .production,
        migrating: true)
      await database.store.close()
      let missing = try missingSteps(in: folder)
      #expect(missing == 0)
    }
  }

  @Test func `tables aren't migrated under a server of an earlier version`() async throws {
    try await withTables(missing: 1) { folder, key in
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
