import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@testable import gatehouse

@Suite struct ExaminationTests {
  private func examine(
    _ folder: String, _ key: MasterKey, _ environment: [String: String] = [:]
  ) async throws -> [Finding] {
    let configuration = try ServerConfiguration(
      isDevelopment: false,
      flags: [
        Settings.data.key: folder, Settings.port.key: "0",
        Settings.publicURL.key: "https://auth.example.com",
      ], assignments: [],
      environment: environment.merging([
        Settings.masterKey.environmentName: key.base64.reveal()
      ]) { $1 },
      file: nil)
    return await Examination(configuration, isOffline: false).findings()
  }

  @Test func `tables that lack a migration still lack it after the checks, and the report says so`()
    async throws
  {
    try await withTables { folder, key in
      let findings = try await examine(folder, key)
      #expect(!findings.contains { $0.check == "tables" })
      // The database was read: it has no project.
      #expect(findings.first { $0.check == "projects" }?.detail == "there is none")
    }
    try await withOldTables { folder, key in
      let findings = try await examine(folder, key)
      let tables = try #require(findings.first { $0.check == "tables" })
      #expect(tables.detail == "1 migrations behind this version")
      #expect(verdict([tables]) == "warning")
      let projects = try #require(findings.first { $0.check == "projects" })
      #expect(
        projects.detail
          == "not checked, and neither are the outbox and the clock: the tables are behind this "
          + "version")
      #expect(verdict([projects]) == "warning")
      #expect(!findings.contains { $0.check == "outbox" || $0.check == "clock" })
      #expect(try missingSteps(in: folder) == 1)
    }
  }

  @Test func `a vault's key that is new is not recorded`() async throws {
    try await withTables { folder, key in
      let vault = try #require(MasterKey.random()).base64.reveal()
      let findings = try await examine(
        folder, key, [Settings.vaultKeyCommand.environmentName: "echo \(vault)"])
      #expect(findings.contains { $0.check == "outbox" })
      let values = try SQLiteStore.serverValues(at: URL(fileURLWithPath: folder))
      #expect(values?[VaultKeys.check] == nil)
    }
  }

  @Test func `tables of a newer version are reported once, with the reason`() async throws {
    try await withTables { folder, key in
      try addLaterStep(to: folder + "/" + SQLiteStore.fileName)
      let findings = try await examine(folder, key).filter { $0.check == "database" }
      #expect(verdict(findings) == "failed")
      #expect(
        findings.map(\.detail) == [
          "the database is of a newer version (step 999): run that version of gatehouse, or "
            + "restore a backup made before the update"
        ])
    }
  }
}
