import Foundation
import GatehouseServer
import Testing

@testable import gatehouse

@Suite struct DatabaseCheckTests {
  private func withDatabase(_ body: (String, MasterKey) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("gatehouse-doctor-\(UUID().uuidString)", isDirectory: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let key = try #require(MasterKey.random()).key
    let store = try SQLiteStore.open(at: folder, sealing: SecretBox(key))
    try await store.write { transaction in
      try transaction.setServerValue("mode", to: Array("production".utf8))
      try MasterKeyRotation.stamp(transaction, with: key)
    }
    await store.close()
    try await body(folder.path, key)
  }

  @Test func `an intact database of this mode and master key passes`() async throws {
    try await withDatabase { folder, key in
      let findings = DatabaseCheck.findings(
        in: folder, mode: "production", keys: MasterKeyRing(key))
      #expect(findings.map(\.check) == ["database", "mode", "master key"])
      #expect(verdict(findings) == "ok ok ok")
    }
  }

  @Test func `another mode and another master key each fail`() async throws {
    try await withDatabase { folder, key in
      let other = try #require(MasterKey.random()).key
      #expect(
        verdict(DatabaseCheck.findings(in: folder, mode: "dev", keys: MasterKeyRing(key)))
          == "ok failed ok")
      #expect(
        verdict(DatabaseCheck.findings(in: folder, mode: "production", keys: MasterKeyRing(other)))
          == "ok ok failed")
    }
  }

  /// The remedy for the master key of `folder` if the command has `keys`.
  private func remedy(_ folder: String, _ keys: [MasterKey]) throws -> String? {
    let ring = try #require(MasterKeyRing(keys))
    let findings = DatabaseCheck.findings(in: folder, mode: "production", keys: ring)
    return switch try #require(findings.last).verdict {
    case .ok: nil
    case .warning(let remedy), .failed(let remedy): remedy
    }
  }

  @Test func `a finished rotation needs no further step`() async throws {
    try await withDatabase { folder, old in
      let new = try #require(MasterKey.random()).key
      #expect(try remedy(folder, [old, new]) == "Finish it: gatehouse keys rotate-master")

      let ring = try #require(MasterKeyRing([old, new]))
      let store = try SQLiteStore.open(
        at: URL(fileURLWithPath: folder, isDirectory: true), sealing: SecretBox(ring))
      let rotation = MasterKeyRotation(store: store, ring: ring)
      #expect(try await rotation.begin(new.id, now: Date(timeIntervalSince1970: 784_111_777)))
      #expect(try remedy(folder, [old, new]) == "Finish it: gatehouse keys rotate-master")
      _ = try await rotation.reseal()
      await store.close()
      #expect(try remedy(folder, [old, new])?.hasSuffix("gatehouse keys retire-master") == true)
      #expect(try remedy(folder, [new]) == nil)
    }
  }

  @Test func `a file that is no database fails`() throws {
    try withFolder { folder in
      let path = folder + "/" + SQLiteStore.fileName
      try Data(repeating: 0x41, count: 8192).write(to: URL(fileURLWithPath: path))
      let findings = DatabaseCheck.findings(in: folder, mode: "production", keys: nil)
      #expect(verdict(findings) == "failed")
    }
  }
}
