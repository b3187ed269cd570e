import Foundation
import GatehouseServer
import Testing

@testable import gatehouse

@Suite struct PrivateFileTests {
  private func mode(_ path: String) throws -> Int? {
    (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?
      .intValue
  }

  @Test func `only its owner can read a new file, and an existing file stays`() throws {
    try withFolder { folder in
      let path = folder + "/key"
      try PrivateFile.write(Data("secret".utf8), toNew: path)
      #expect(try mode(path) == 0o600)
      #expect(throws: POSIXError(.EEXIST)) {
        try PrivateFile.write(Data("other".utf8), toNew: path)
      }
      #expect(FileManager.default.contents(atPath: path) == Data("secret".utf8))
    }
  }

  @Test func `a file that other users can read is replaced, not written to`() throws {
    try withFolder { folder in
      let path = folder + "/users.json"
      try Data("old".utf8).write(to: URL(fileURLWithPath: path))
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
      let reader = try #require(FileHandle(forReadingAtPath: path))
      let file = try #require(PrivateFile.begin(path))
      try file.write(contentsOf: Data("new".utf8))
      try file.close()
      #expect(try mode(path) == 0o600)
      #expect(try reader.readToEnd() == Data("old".utf8))
      #expect(FileManager.default.contents(atPath: path) == Data("new".utf8))
    }
  }

  @Test func `an existing file stays until the new one is complete`() throws {
    try withFolder { folder in
      let path = folder + "/events.jsonl"
      try Data("old".utf8).write(to: URL(fileURLWithPath: path))
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
      let failed = try #require(PrivateFile.Draft(path))
      try failed.file.write(contentsOf: Data("ne".utf8))
      #expect(FileManager.default.contents(atPath: path) == Data("old".utf8))
      failed.discard()
      let complete = try #require(PrivateFile.Draft(path))
      try complete.file.write(contentsOf: Data("new".utf8))
      #expect(FileManager.default.contents(atPath: path) == Data("old".utf8))
      try complete.finish()
      #expect(FileManager.default.contents(atPath: path) == Data("new".utf8))
      #expect(try mode(path) == 0o600)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["events.jsonl"])
    }
  }

  @Test func `nothing is written through a symbolic link`() throws {
    try withFolder { folder in
      let target = folder + "/target"
      try Data("old".utf8).write(to: URL(fileURLWithPath: target))
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/link", withDestinationPath: target)
      #expect(PrivateFile.begin(folder + "/link") == nil)
      #expect(PrivateFile.Draft(folder + "/link")?.file == nil)
      #expect(FileManager.default.contents(atPath: target) == Data("old".utf8))
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only the superuser may give files away"))
  func `a changed master key file keeps its owner`() throws {
    try withFolder { folder in
      let path = folder + "/master.key"
      let key = try #require(MasterKey.random()).key
      try MasterKeyFile.write([key], to: path)
      let code = unsafe chown(path, 4321, 4322)
      #expect(code == 0)
      try MasterKeyFile.write([key, try #require(MasterKey.random()).key], to: path)
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect((attributes[.ownerAccountID] as? NSNumber)?.intValue == 4321)
      #expect((attributes[.groupOwnerAccountID] as? NSNumber)?.intValue == 4322)
      #expect(try mode(path) == 0o600)
      #expect(try MasterKeySource.read(path).count == 2)
    }
  }

  @Test func `keys that several commands add at the same time are all in the file`() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("gatehouse-keys-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.path + "/master.key"
    let keys = try (0..<8).map { _ in try #require(MasterKey.random()).key }
    try MasterKeyFile.write([keys[0]], to: path)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for key in keys.dropFirst() {
        group.addTask { _ = try MasterKeyFile.change(path, keeping: keys[0]) { $0 + [key] } }
      }
      try await group.waitForAll()
    }
    let stored = try MasterKeySource.read(path)
    #expect(Set(stored.map(\.name)) == Set(keys.map(\.name)))
  }
}
