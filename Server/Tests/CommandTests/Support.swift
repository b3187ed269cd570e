import Foundation
import GRDB
import GatehouseServer
import Testing

/// Runs `body` with a new folder, which is deleted afterwards.
func withFolder(_ body: (String) throws -> Void) throws {
  let folder = try makeFolder()
  defer { try? FileManager.default.removeItem(at: folder) }
  try body(folder.path)
}

/// Runs `body` with the folder of a production database without projects, whose tables lack the
/// newest migrations, and with its master key.
func withTables(
  missing: Int, _ body: (_ folder: String, _ key: MasterKey) async throws -> Void
) async throws {
  let folder = try makeFolder()
  defer { try? FileManager.default.removeItem(at: folder) }
  let key = try #require(MasterKey.random()).key
  try makeTables(in: folder, key, missing: missing)
  try await body(folder.path, key)
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

private func makeTables(in folder: URL, _ key: MasterKey, missing: Int) throws {
  let queue = try DatabaseQueue(path: folder.appendingPathComponent(SQLiteStore.fileName).path)
  try queue.writeWithoutTransaction { database in
    try SQLiteStore.migrate(database, through: SQLiteStore.migrations.count - missing)
    let values = [
      ("mode", Array("production".utf8)), (MasterKeyRotation.Value.check, key.checkValue),
      (MasterKeyRotation.Value.id, key.id),
    ]
    for (name, value) in values {
      try database.execute(
        sql: "INSERT INTO server_values (name, value) VALUES (?, ?)",
        arguments: [name, Data(value)])
    }
  }
  try queue.close()
}
