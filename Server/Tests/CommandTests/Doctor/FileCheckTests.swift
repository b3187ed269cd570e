import Foundation
import GatehouseServer
import Testing

@testable import gatehouse

@Suite struct FileCheckTests {
  @Test func `only its owner may access a file, and the server runs as the owner`() throws {
    try withFolder { folder in
      let path = folder + "/master.key"
      _ = FileManager.default.createFile(
        atPath: path, contents: Data(), attributes: [.posixPermissions: 0o600])
      let owner = geteuid()
      #expect(verdict(FileCheck.findings("key", path, owner: owner)) == "ok")
      #expect(verdict(FileCheck.findings("key", path, owner: owner + 1)) == "failed")
      try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
      let open = FileCheck.findings("key", path, owner: owner)
      #expect(
        open == [
          Finding(
            "key", .failed(remedy: "Run: chmod 600 \(path)"),
            "other users may access \(path) (mode 640)")
        ])
      #expect(verdict(FileCheck.findings("key", path + "2", owner: owner)) == "failed")
    }
  }
}
