import Foundation
import GRDB
import GatehouseServer
import TestStores
import Testing

/// Runs `body` with a new folder, which is deleted afterwards.
func withFolder(_ body: (String) throws -> Void) throws {
  let folder = try makeFolder()
  defer { try? FileManager.default.removeItem(at: folder) }
  try body(folder.path)
}

/// Runs `body` with the folder of a production database without projects, and with its master key.
func withTables(
  _ body: (_ folder: String, _ key: MasterKey) async throws -> Void
) async throws {
  let folder = try makeFolder()
  defer { try? FileManager.default.removeItem(at: folder) }
  let key = try #require(MasterKey.random()).key
  try await makeTables(in: folder, key)
  try await body(folder.path, key)
}

/// Likewise, as a version that has one more migration.
func withOldTables(
  _ body: (_ folder: String, _ key: MasterKey) async throws -> Void
) async throws {
  try await withTables { folder, key in
    try await Migration.withNextOfSQLite("CREATE TABLE of_the_next_version (a TEXT) STRICT") {
      try await body(folder, key)
    }
  }
}

/// How many migrations the tables in the folder lack.
func missingSteps(in folder: String) throws -> Int {
  try DatabaseFile(in: URL(fileURLWithPath: folder, isDirectory: true)).missingSteps()
}

/// Adds a migration that only a newer version knows.
func addLaterStep(to path: String) throws {
  let queue = try DatabaseQueue(path: path)
  try queue.writeWithoutTransaction { database in
    try database.execute(sql: "INSERT INTO schema_migrations VALUES (999, 'later', 0)")
  }
  try queue.close()
}

private func makeFolder() throws -> URL {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("gatehouse-command-\(UUID().uuidString)", isDirectory: true)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  return folder
}

private func makeTables(in folder: URL, _ key: MasterKey) async throws {
  let store = try SQLiteStore.open(at: folder, sealing: SecretBox(key))
  try await store.write { transaction in
    try transaction.setServerValue("mode", to: Array("production".utf8))
    try MasterKeyRotation.stamp(transaction, with: key)
  }
  await store.close()
}
