import Foundation
import GatehouseServer

extension SQLiteEngine {
  func fileFindings() -> [Finding] {
    guard exists else { return [] }
    return FileCheck.findings("data folder", folder, owner: geteuid())
      + FileCheck.findings("database file", path, owner: geteuid())
  }

  func findings(
    mode: OpenDatabase.Mode, keys: MasterKeyRing?
  ) -> (findings: [Finding], hasDatabase: Bool) {
    // If the state can't be read, the other checks find out why.
    if let state = try? state(), let finding = Finding(state, of: self) {
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
        databaseBytes: Files.size(of: path)),
      RoomCheck.log(bytes: Files.size(of: path + "-wal")),
    ]
  }
}
