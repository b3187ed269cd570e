import Foundation
import GatehouseClient
import Testing

/// The behavior of every store.
@Suite struct SessionStoreTests {
  enum Kind: CaseIterable { case memory, file, defaults }

  private func with(_ kind: Kind, _ body: (any SessionStore) throws -> Void) throws {
    switch kind {
    case .memory: try body(MemoryStore())
    case .file: try StoreFolderForTest.with { try body(FileStore(directory: $0)) }
    case .defaults:
      let name = "gatehouse-store-\(UUID().uuidString)"
      defer { UserDefaults(suiteName: name)?.removePersistentDomain(forName: name) }
      try body(DefaultsStore(suiteName: name))
    }
  }

  @Test(arguments: Kind.allCases)
  func `a store is empty at first, and returns what was written`(_ kind: Kind) throws {
    try with(kind) { store throws in
      #expect(try store.read("session") == nil)
      try store.write(Data("one".utf8), for: "session")
      #expect(try store.read("session") == Data("one".utf8))
      try store.write(Data(), for: "session")
      #expect(try store.read("session") == Data())
      try store.remove("session")
      #expect(try store.read("session") == nil)
      try store.remove("session")
    }
  }

  @Test(arguments: Kind.allCases)
  func `different keys never collide, whatever they contain`(_ kind: Kind) throws {
    let keys = [
      "a", "A", "a/b", "../a", ".", "%61", "a.part", "caf\u{e9}", "cafe\u{301}", "lock", ".lock",
      String(repeating: "k", count: 512), String(repeating: "/", count: 512), "a\u{0}b",
    ]
    try with(kind) { store throws in
      for (index, key) in keys.enumerated() { try store.write(Data([UInt8(index)]), for: key) }
      for (index, key) in keys.enumerated() {
        #expect(try store.read(key) == Data([UInt8(index)]))
      }
    }
  }

  @Test(arguments: Kind.allCases)
  func `update passes the current value, and returns the new one`(_ kind: Kind) throws {
    try with(kind) { store throws in
      var seen: [Data?] = []
      let made = try store.update("k") { old in
        seen.append(old)
        return Data([1])
      }
      let removed = try store.update("k") { old in
        seen.append(old)
        return nil
      }
      #expect(made == Data([1]))
      #expect(removed == nil)
      #expect(seen == [nil, Data([1])])
      #expect(try store.read("k") == nil)
    }
  }

  @Test(arguments: Kind.allCases)
  func `an update that throws changes nothing`(_ kind: Kind) throws {
    let fault = StoreFault(.damaged, detail: "made up")
    try with(kind) { store throws in
      try store.write(Data([1]), for: "k")
      #expect(throws: fault) {
        try store.update("k") { _ throws(StoreFault) in throw fault }
      }
      #expect(try store.read("k") == Data([1]))
    }
  }

  @Test(arguments: Kind.allCases)
  func `an empty or too long key, and a too long value, are refused`(_ kind: Kind) throws {
    try with(kind) { store throws in
      for key in ["", String(repeating: "k", count: 513)] {
        #expect(throws: StoreFault(.unwritable, detail: "A key has 1 to 512 bytes")) {
          try store.write(Data(), for: key)
        }
      }
      let most = Data(count: 1 << 20)
      try store.write(most, for: "k")
      #expect(throws: StoreFault(.unwritable, detail: "More than 1048576 bytes for one key")) {
        try store.write(most + [0], for: "k")
      }
      #expect(try store.read("k") == most)
    }
  }

  @Test(arguments: Kind.allCases)
  func `updates from many threads are all kept`(_ kind: Kind) async throws {
    let folder = StoreFolderForTest.next()
    defer { try? FileManager.default.removeItem(at: folder) }
    let store: any SessionStore =
      kind == .memory ? MemoryStore() : FileStore(directory: folder, lockTimeout: 60)
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<8 {
            _ = try? store.update("count") { old in Data([(old?.first ?? 0) + 1]) }
          }
        }
      }
    }
    #expect(try store.read("count") == Data([64]))
  }

  @Test func `a store's description contains none of its data`() throws {
    let store = MemoryStore()
    try store.write(Data("secret-of-mine".utf8), for: "k")
    var dumped = ""
    dump(store, to: &dumped)
    #expect(!"\(store)\(dumped)".contains("secret"))
    #expect(!dumped.contains("bytes"))
  }
}

/// A folder that doesn't exist yet, for one test.
enum StoreFolderForTest {
  static func next() -> URL {
    FileManager.default.temporaryDirectory.appending(
      path: "gatehouse-store-\(UUID().uuidString)", directoryHint: .isDirectory)
  }

  static func with(_ body: (URL) throws -> Void) throws {
    let folder = next()
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }
}
