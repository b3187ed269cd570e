import Foundation
import GatehouseServer
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
      #expect(try names.remove(beyond: 3, keeping: new) { _ in true }.removed == [backups[0]])
      #expect(try names.remove(beyond: 3, keeping: new) { _ in true }.removed == [])
      #expect(
        try names.remove(beyond: 1, keeping: new) { _ in true }.removed
          == [backups[2], backups[1]])
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
      #expect(
        try names.remove(beyond: 2, keeping: backups[0]) { _ in true }.removed == [backups[1]])
      #expect(FileManager.default.fileExists(atPath: backups[0]))
    }
  }

  @Test func `a backup that may not be removed stays, and an older one that may doesn't`() throws {
    try withFolder { folder in
      let names = BackupNames(folder: folder)
      let backups = (0..<3).map {
        names.path(at: Self.time.addingTimeInterval(Double($0) * 86_400))
      }
      for path in backups { try Data().write(to: URL(fileURLWithPath: path)) }
      let rotation = try names.remove(beyond: 1, keeping: backups[2]) { $0 != backups[1] }
      #expect(rotation.removed == [backups[0]])
      #expect(rotation.kept == [backups[1]])
      #expect(FileManager.default.fileExists(atPath: backups[1]))
    }
  }

  @Test func `what a killed backup left is removed, unless another backup is being made`() throws {
    try withFolder { folder in
      let names = BackupNames(folder: folder)
      let part = names.path(at: Self.time) + ".part"
      let others = ["gatehouse.sqlite.part", "notes.part"].map { folder + "/" + $0 }
      for path in others + [part, part + "-journal"] {
        try Data().write(to: URL(fileURLWithPath: path))
      }
      let removed = try names.alone { removed in
        // A part of this backup.
        try Data().write(to: URL(fileURLWithPath: part))
        let another: Void? = try BackupNames(folder: folder).alone { _ in }
        #expect(another == nil)
        return removed
      }
      #expect(removed == [part, part + "-journal"])
      #expect(FileManager.default.fileExists(atPath: part))
      #expect(try names.alone { $0 } == [part])
      let left = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      #expect(left == ["gatehouse.sqlite.part", "notes.part"])
    }
  }
}
