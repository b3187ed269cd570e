import Foundation
import GatehouseServer
import Testing

@Suite struct FolderTrialTests {
  @Test func `a writable folder has no fault, and no file is left in it`() throws {
    try withFolder { folder in
      #expect(FolderTrial.fault(in: folder) == nil)
      #expect(FolderTrial.fault(in: folder + "/not/there/yet") == nil)
      let left = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(left == [])
    }
  }

  @Test func `a file in place of the folder is reported`() throws {
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
  func `each system error has a remedy`(_ code: Int32, _ remedy: String) {
    #expect(FolderTrial.remedy(code, in: "/data", user: 7).contains(remedy))
  }
}
