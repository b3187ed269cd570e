import ArgumentParser
import Foundation
import GRDB
import GatehouseServer
import Testing

@testable import gatehouse

@Suite struct BackupCommandTests {
  /// Runs `body` with the folder of a production database with one account, and a folder with `count`
  /// backups of it, the oldest first.
  private func withBackups(
    _ count: Int,
    _ body: (_ data: String, _ backups: String, _ names: [String]) async throws -> Void
  ) async throws {
    try await withTables { folder, key in
      let keyFile = folder + "/key"
      try PrivateFile.write(Data(key.base64.reveal().utf8), toNew: keyFile)
      let place = ["--data", folder, "--master-key-file", keyFile]
      try await CreateProjectCommand.parse(
        ["my-app", "--public-url", "https://auth.example.com"] + place
      ).run()
      try await CreateUserCommand.parse(["--email", "ann@example.com"] + place).run()
      let backups = folder + "/backups"
      try FileManager.default.createDirectory(atPath: backups, withIntermediateDirectories: false)
      let names = (1...count).map { "gatehouse-2020010\($0)T000000Z.sqlite" }
      for name in names { try await backUp(folder, to: backups + "/" + name) }
      try await body(folder, backups, names)
    }
  }

  private func backUp(_ data: String, to target: String, _ options: String...) async throws {
    let command = try BackupCommand.parse([target, "--data", data, "--force"] + options)
    try await command.run()
  }

  private func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  private func removeAccounts(_ data: String) throws {
    let queue = try DatabaseQueue(path: data + "/" + SQLiteStore.fileName)
    try queue.write { try $0.execute(sql: "DELETE FROM accounts") }
    try queue.close()
  }

  @Test func `a backup with accounts takes the place of the oldest one`() async throws {
    try await withBackups(3) { data, backups, names in
      try await backUp(data, to: backups, "--keep", "3")
      let left = try self.names(in: backups)
      #expect(left.count == 3)
      #expect(left.prefix(2) == names.suffix(2))
    }
  }

  @Test func `a backup without accounts takes the place of none that has some`() async throws {
    try await withBackups(3) { data, backups, names in
      try removeAccounts(data)
      let older = "gatehouse-20191231T000000Z.sqlite"
      try await backUp(data, to: backups + "/" + older)
      try await backUp(data, to: backups, "--keep", "3")
      let left = try self.names(in: backups)
      #expect(left.count == 4)
      #expect(left.prefix(3) == names[...])
    }
  }

  @Test func `an emptied or missing database isn't backed up, and no backup is removed`()
    async throws
  {
    try await withBackups(3) { data, backups, names in
      let file = data + "/" + SQLiteStore.fileName
      try Data().write(to: URL(fileURLWithPath: file))
      await #expect {
        try await backUp(data, to: backups, "--keep", "1")
      } throws: { error in
        "\(error)".hasPrefix("the database in \(data) is too short (\(file): 0 bytes)")
      }
      try FileManager.default.removeItem(atPath: file)
      await #expect {
        try await backUp(data, to: backups, "--keep", "1")
      } throws: { error in
        "\(error)".hasPrefix("there is no database in \(data) (\(file): no such file)")
      }
      #expect(try self.names(in: backups) == names)
    }
  }

  @Test func `a database that was only begun isn't backed up`() async throws {
    try await withBackups(1) { data, backups, names in
      let queue = try DatabaseQueue(path: data + "/" + SQLiteStore.fileName)
      try await queue.write { try $0.execute(sql: "DELETE FROM server_values") }
      try queue.close()
      await #expect(throws: CommandFailure.self) {
        try await backUp(data, to: backups, "--keep", "1")
      }
      #expect(try self.names(in: backups) == names)
    }
  }
}
