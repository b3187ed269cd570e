import Foundation
import GatehouseOperation
import Testing

@Suite struct FolderTrialTests {
  @Test func `a folder that can be written to has no fault, and keeps nothing of the trial`() throws
  {
    try withFolder { folder in
      #expect(FolderTrial.fault(in: folder) == nil)
      #expect(FolderTrial.fault(in: folder + "/not/there/yet") == nil)
      let left = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(left == [])
    }
  }

  @Test func `a file in the folder's place is named as such`() throws {
    try withFolder { folder in
      let path = folder + "/file"
      try Data().write(to: URL(fileURLWithPath: path))
      #expect(
        FolderTrial.fault(in: path) == "\(path) is not a folder. Name another with --data")
    }
  }

  @Test(arguments: [
    (ENOSPC, "the disk that holds /data is full. Make room (df -h /data)"),
    (EDQUOT, "the disk quota of user 7 in /data is used up"),
    (EROFS, "/data is on a file system that is mounted read-only. Mount it for writing"),
    (EACCES, "run: chown 7 /data && chmod 700 /data"),
    (EPERM, "run: chown 7 /data && chmod 700 /data"),
    (EFBIG, "Raise it (ulimit -f)"),
    (EMFILE, "Raise the limit (ulimit -n)"),
    (EIO, "Look at the disk and at the system's log"),
  ])
  func `each error of the system has its remedy`(_ code: Int32, _ remedy: String) {
    #expect(FolderTrial.remedy(code, in: "/data", user: 7).contains(remedy))
  }
}
