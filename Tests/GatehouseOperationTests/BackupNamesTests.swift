import Foundation
import GatehouseOperation
import Testing

@Suite struct BackupNamesTests {
  private static let time = Date(timeIntervalSince1970: 1_767_322_000)

  @Test func `a backup is named by its time, in UTC`() {
    #expect(
      BackupNames(folder: "/b").path(at: Self.time) == "/b/gatehouse-20260102T024640Z.sqlite")
  }

  @Test func `only the oldest backups beyond the count are removed`() throws {
    try withFolder { folder in
      let names = BackupNames(folder: folder)
      let backups = (0..<4).map {
        names.path(at: Self.time.addingTimeInterval(Double($0) * 86_400))
      }
      let others = ["gatehouse.sqlite", "gatehouse-old.sqlite", "a.txt"].map {
        folder + "/" + $0
      }
      for path in backups + others { try Data().write(to: URL(fileURLWithPath: path)) }
      let new = backups[3]
      #expect(try names.remove(beyond: 3, keeping: new) == [backups[0]])
      #expect(try names.remove(beyond: 3, keeping: new) == [])
      #expect(try names.remove(beyond: 1, keeping: new) == [backups[2], backups[1]])
      let left = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(
        Set(left) == Set((others + [backups[3]]).map { URL(fileURLWithPath: $0).lastPathComponent })
      )
    }
  }

  @Test func `the new backup stays beside those of a clock that was ahead`() throws {
    try withFolder { folder in
      let names = BackupNames(folder: folder)
      let backups = [0, 365, 366].map {
        names.path(at: Self.time.addingTimeInterval(Double($0) * 86_400))
      }
      for path in backups { try Data().write(to: URL(fileURLWithPath: path)) }
      #expect(try names.remove(beyond: 2, keeping: backups[0]) == [backups[1]])
      #expect(FileManager.default.fileExists(atPath: backups[0]))
    }
  }
}
