import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct CrashTests {
  /// Copies the files while the store is open and writing, as `kill -9` leaves them, and checks
  /// that they contain every write that was acknowledged before.
  ///
  /// Shows that an acknowledged write is in the files and not only in the process. Whether it is on
  /// the disk depends on `synchronous = FULL`, which another test reads.
  @Test func `acknowledged writes are in the files of a process that crashes`() async throws {
    try await withFolder { folder in
      let store = try await openStore(folder)
      let project = try projectID()
      let crashed = folder.appendingPathComponent("crashed", isDirectory: true)
      try FileManager.default.createDirectory(at: crashed, withIntermediateDirectories: false)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for task in 0..<8 {
          group.addTask {
            for number in 0..<50 {
              let token = token(task * 1000 + number)
              _ = try await store.write { try $0.spend(token, in: project) }
            }
          }
        }
        try await group.waitForAll()
      }
      // A transaction that is in progress when the process dies leaves nothing.
      let gate = Gate()
      let (begun, signal) = AsyncStream.makeStream(of: Void.self)
      async let unfinished: Void = store.write { transaction in
        _ = try transaction.spend(token(9999), in: project)
        signal.yield()
        gate.wait()
      }
      for await _ in begun { break }
      defer { gate.open() }
      for name in ["gatehouse.sqlite", "gatehouse.sqlite-wal"] {
        try FileManager.default.copyItem(
          at: folder.appendingPathComponent(name), to: crashed.appendingPathComponent(name))
      }
      gate.open()
      try await unfinished
      await store.close()

      let survivor = try SQLiteStore.open(at: crashed, sealing: TaggingSealer())
      let (missing, stray) = try await survivor.write { transaction in
        let tokens = (0..<8).flatMap { task in (0..<50).map { task * 1000 + $0 } }
        return (
          try tokens.filter { try transaction.spend(token($0), in: project) },
          try !transaction.spend(token(9999), in: project)
        )
      }
      #expect(missing == [])
      #expect(!stray)
      await survivor.close()
    }
  }
}
