import Foundation
import GatehouseAccounts
import GatehouseFederation

extension SQLiteEngine {
  func fileFindings() -> [Finding] {
    guard exists() else { return [] }
    return FileCheck.findings("data folder", folder, owner: geteuid())
      + FileCheck.findings("database file", path, owner: geteuid())
  }

  func findings(
    mode: OpenDatabase.Mode, keys: MasterKeyRing?
  ) -> (findings: [Finding], hasDatabase: Bool) {
    guard exists() else {
      let finding = Finding(
        "database",
        .failed(remedy: "Name its folder with --data, or create it: gatehouse projects create ID"),
        "there is none in \(folder)")
      return ([finding], false)
    }
    let findings = DatabaseCheck.findings(in: folder, mode: mode.rawValue, keys: keys)
    // If the file can't be read, there is only the one finding that says why.
    return (findings + room(), findings.count > 1)
  }

  private func room() -> [Finding] {
    let system = try? FileManager.default.attributesOfFileSystem(forPath: folder)
    return [
      RoomCheck.disk(
        freeBytes: (system?[.systemFreeSize] as? NSNumber)?.int64Value,
        databaseBytes: Self.bytes(of: path)),
      RoomCheck.log(bytes: Self.bytes(of: path + "-wal")),
    ]
  }

  private static func bytes(of path: String) -> Int64 {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? NSNumber)?.int64Value ?? 0
  }
}
