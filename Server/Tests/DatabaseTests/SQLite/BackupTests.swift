import Foundation
import GRDB
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct BackupTests {
  /// Runs `body` with a folder, an open store in it, and the path of a backup.
  private func withStore(
    _ body: (URL, SQLiteStore, String) async throws -> Void
  ) async throws {
    try await withFolder { folder in
      let store = try await openStore(folder)
      try await body(folder, store, folder.appendingPathComponent("copy.sqlite").path)
      await store.close()
    }
  }

  /// The numbers whose tokens the database doesn't have.
  private func missing(_ numbers: [Int], in folder: URL) async throws -> [Int] {
    let store = try SQLiteStore.open(at: folder, sealing: TaggingSealer())
    let project = try projectID()
    let missing = try await store.write { transaction in
      try numbers.filter { try transaction.spend(token($0), in: project) }
    }
    await store.close()
    return missing
  }

  private func spend(_ numbers: Range<Int>, _ store: SQLiteStore) async throws {
    let project = try projectID()
    for number in numbers {
      _ = try await store.write { try $0.spend(token(number), in: project) }
    }
  }

  @Test func `a copy under load contains every write acknowledged before`() async throws {
    try await withStore { folder, store, path in
      try await spend(0..<40, store)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for task in 1...4 {
          group.addTask { try await spend(task * 1000..<task * 1000 + 100, store) }
        }
        group.addTask { _ = try DatabaseBackup.make(of: folder, at: path) }
        try await group.waitForAll()
      }
      let restored = folder.appendingPathComponent("restored", isDirectory: true)
      try FileManager.default.createDirectory(at: restored, withIntermediateDirectories: false)
      try FileManager.default.moveItem(atPath: path, toPath: databasePath(restored))
      #expect(try await missing(Array(0..<40), in: restored) == [])
    }
  }

  @Test func `a copy is one complete file, private to its owner`() async throws {
    try await withStore { folder, _, path in
      let facts = try DatabaseBackup.make(of: folder, at: path)
      #expect(facts.projects == 1)
      #expect(facts.missingSteps == 0)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(names.filter { $0.hasPrefix("copy") } == ["copy.sqlite"])
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      #expect(try DatabaseFile(path).damage(thoroughly: true) == [])
    }
  }

  @Test func `deleted data is not in the copy`() async throws {
    try await withStore { folder, store, path in
      let project = try projectID()
      let account = try account("alice", name: "a name to be forgotten")
      try await store.write { try $0.save(account, in: project) }
      try await store.write { try $0.deleteAccount(account.uid, in: project) }
      _ = try DatabaseBackup.make(of: folder, at: path)
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      #expect(bytes.range(of: Data("auth.example.com".utf8)) != nil)
      #expect(bytes.range(of: Data("to be forgotten".utf8)) == nil)
    }
  }

  private func account(_ uid: String, name: String) throws -> Account {
    var account = Account(
      uid: try #require(UID(uid)), createdAt: Date(timeIntervalSince1970: 1_800_000_000))
    account.displayName = name
    return account
  }

  @Test func `a copy that can't be written is reported`() async throws {
    try await withStore { folder, _, _ in
      #expect {
        try DatabaseBackup.make(of: folder, at: "/dev/null/copy.sqlite")
      } throws: { error in
        guard case .unavailable(let detail) = error as? StoreError else { return false }
        return detail.contains("/dev/null/copy.sqlite.part can't be created")
      }
    }
  }

  @Test func `a copy doesn't replace the database itself, under any name`() async throws {
    try await withStore { folder, store, _ in
      try await spend(0..<3, store)
      let link = folder.appendingPathComponent("link").path
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path)
      for path in [databasePath(folder), link + "/" + SQLiteStore.fileName] {
        #expect(
          throws: StoreError.unavailable(
            "\(path) is the database itself: name another file for the backup")
        ) { try DatabaseBackup.make(of: folder, at: path) }
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(!names.contains { $0.hasSuffix(".part") })
    }
  }

  // MARK: Restoring

  @Test func `a restore puts the copy in place, and keeps the old database`() async throws {
    try await withFolder { folder in
      let path = folder.appendingPathComponent("copy.sqlite").path
      let store = try await openStore(folder)
      try await spend(0..<3, store)
      _ = try DatabaseBackup.make(of: folder, at: path)
      try await spend(3..<6, store)
      await store.close()

      let restore = try DatabaseRestore.stage(path, in: folder)
      let old = try #require(try restore.replace(suffix: ".before"))
      #expect(old == databasePath(folder) + ".before")
      #expect(try await missing(Array(0..<6), in: folder) == [3, 4, 5])
      let kept = folder.appendingPathComponent("kept", isDirectory: true)
      try FileManager.default.createDirectory(at: kept, withIntermediateDirectories: false)
      try FileManager.default.moveItem(atPath: old, toPath: databasePath(kept))
      #expect(try await missing(Array(0..<6), in: kept) == [])
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only the superuser may give files away"))
  func `a restored database belongs to the owner of the former one, or of the folder`()
    async throws
  {
    func owner(_ path: String) throws -> Int? {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      return (attributes[.ownerAccountID] as? NSNumber)?.intValue
    }
    func give(_ path: String, to user: uid_t) {
      let code = unsafe chown(path, user, getegid())
      #expect(code == 0)
    }
    try await withStore { folder, store, path in
      _ = try DatabaseBackup.make(of: folder, at: path)
      await store.close()
      give(databasePath(folder), to: 4321)
      _ = try DatabaseRestore.stage(path, in: folder).replace(suffix: ".before")
      #expect(try owner(databasePath(folder)) == 4321)

      let new = folder.appendingPathComponent("new", isDirectory: true)
      try FileManager.default.createDirectory(at: new, withIntermediateDirectories: false)
      give(new.path, to: 4322)
      _ = try DatabaseRestore.stage(path, in: new).replace(suffix: ".before")
      #expect(try owner(databasePath(new)) == 4322)
    }
  }

  @Test func `nothing is replaced while the database is open elsewhere`() async throws {
    try await withStore { folder, store, path in
      _ = try DatabaseBackup.make(of: folder, at: path)
      let restore = try DatabaseRestore.stage(path, in: folder)
      #expect(
        throws: StoreError.unavailable(
          "a server or a command has the database open: stop it and restore again. Nothing was "
            + "replaced")
      ) { try restore.replace(suffix: ".before") }
      restore.discard()
      try await spend(0..<3, store)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(!names.contains { $0.hasSuffix(".before") || $0.hasSuffix(".part") })
    }
  }

  @Test func `a database that was copied with its log is restored with it`() async throws {
    try await withFolder { folder in
      let source = folder.appendingPathComponent("source", isDirectory: true)
      let store = try await openStore(source)
      try await spend(0..<3, store)
      let copy = folder.appendingPathComponent("machine.sqlite").path
      for suffix in ["", "-wal"] {
        try FileManager.default.copyItem(
          atPath: databasePath(source) + suffix, toPath: copy + suffix)
      }
      let log = try Data(contentsOf: URL(fileURLWithPath: copy + "-wal"))
      #expect(!log.isEmpty)
      await store.close()
      let new = folder.appendingPathComponent("new", isDirectory: true)
      try FileManager.default.createDirectory(at: new, withIntermediateDirectories: false)
      let restore = try DatabaseRestore.stage(copy, in: new)
      let staged = try FileManager.default.contentsOfDirectory(atPath: new.path)
      #expect(staged == ["restore.part"])
      _ = try restore.replace(suffix: ".before")
      #expect(try await missing(Array(0..<6), in: new) == [3, 4, 5])
      // The files of the other machine stay as they were.
      #expect(try Data(contentsOf: URL(fileURLWithPath: copy + "-wal")) == log)
    }
  }

  @Test func `a log that lies beside a backup isn't applied to it`() async throws {
    try await withStore { folder, store, path in
      try await spend(0..<3, store)
      _ = try DatabaseBackup.make(of: folder, at: path)
      try await spend(3..<6, store)
      try FileManager.default.copyItem(atPath: databasePath(folder) + "-wal", toPath: path + "-wal")
      let new = folder.appendingPathComponent("new", isDirectory: true)
      try FileManager.default.createDirectory(at: new, withIntermediateDirectories: false)
      _ = try DatabaseRestore.stage(path, in: new).replace(suffix: ".before")
      #expect(try await missing(Array(0..<6), in: new) == [3, 4, 5])
    }
  }

  @Test func `the log of a crashed server isn't applied to the new file`() async throws {
    try await withFolder { folder in
      let source = folder.appendingPathComponent("source", isDirectory: true)
      let store = try await openStore(source)
      try await spend(0..<3, store)
      let dead = folder.appendingPathComponent("dead", isDirectory: true)
      try FileManager.default.createDirectory(at: dead, withIntermediateDirectories: false)
      let path = folder.appendingPathComponent("copy.sqlite").path
      _ = try DatabaseBackup.make(of: source, at: path)
      try await spend(3..<6, store)
      for suffix in ["", "-wal"] {
        try FileManager.default.copyItem(
          atPath: databasePath(source) + suffix, toPath: databasePath(dead) + suffix)
      }
      await store.close()
      let old = try DatabaseRestore.stage(path, in: dead).replace(suffix: ".before")
      #expect(try await missing(Array(0..<6), in: dead) == [3, 4, 5])
      let kept = folder.appendingPathComponent("kept", isDirectory: true)
      try FileManager.default.createDirectory(at: kept, withIntermediateDirectories: false)
      try FileManager.default.moveItem(atPath: try #require(old), toPath: databasePath(kept))
      #expect(try await missing(Array(0..<6), in: kept) == [])
    }
  }

  @Test func `the log of a database that was moved away isn't applied to the new file`()
    async throws
  {
    try await withFolder { folder in
      let source = folder.appendingPathComponent("source", isDirectory: true)
      let store = try await openStore(source)
      try await spend(0..<3, store)
      let path = folder.appendingPathComponent("copy.sqlite").path
      _ = try DatabaseBackup.make(of: source, at: path)
      try await spend(3..<6, store)
      let left = folder.appendingPathComponent("left", isDirectory: true)
      try FileManager.default.createDirectory(at: left, withIntermediateDirectories: false)
      try FileManager.default.copyItem(
        atPath: databasePath(source) + "-wal", toPath: databasePath(left) + "-wal")
      await store.close()
      let old = try DatabaseRestore.stage(path, in: left).replace(suffix: ".before")
      #expect(old == nil)
      #expect(try await missing(Array(0..<6), in: left) == [3, 4, 5])
      #expect(FileManager.default.fileExists(atPath: databasePath(left) + ".before-wal"))
    }
  }

  @Test func `a file that is no longer a database is replaced too`() async throws {
    try await withFolder { folder in
      let source = folder.appendingPathComponent("source", isDirectory: true)
      let store = try await openStore(source)
      let path = folder.appendingPathComponent("copy.sqlite").path
      _ = try DatabaseBackup.make(of: source, at: path)
      await store.close()
      try Data(repeating: 0x41, count: 8192).write(to: URL(fileURLWithPath: databasePath(source)))
      let old = try #require(
        try DatabaseRestore.stage(path, in: source).replace(suffix: ".before"))
      #expect(try Data(contentsOf: URL(fileURLWithPath: old)).first == 0x41)
      #expect(try await missing([], in: source) == [])
    }
  }

  @Test func `an emptied file is replaced too, and its log is kept beside it`() async throws {
    try await withFolder { folder in
      let source = folder.appendingPathComponent("source", isDirectory: true)
      let store = try await openStore(source)
      let path = folder.appendingPathComponent("copy.sqlite").path
      _ = try DatabaseBackup.make(of: source, at: path)
      await store.close()
      for (suffix, text) in [("", ""), ("-wal", "log")] {
        try Data(text.utf8).write(to: URL(fileURLWithPath: databasePath(source) + suffix))
      }
      #expect(
        throws: StoreError.damaged(
          "the file \(databasePath(source)) is too short for a database (0 bytes)")
      ) {
        try DatabaseFile(in: source).facts()
      }
      #expect(try SQLiteStore.serverValues(at: source) == nil)
      let old = try #require(
        try DatabaseRestore.stage(path, in: source).replace(suffix: ".before"))
      #expect(try Data(contentsOf: URL(fileURLWithPath: old + "-wal")) == Data("log".utf8))
      #expect(try await missing([], in: source) == [])
    }
  }

  @Test func `a file that is no backup is rejected and leaves no file`() async throws {
    try await withFolder { folder in
      let store = try await openStore(folder)
      await store.close()
      let other = folder.appendingPathComponent("other.sqlite")
      try Data(repeating: 0x41, count: 8192).write(to: other)
      #expect(
        throws: StoreError.damaged(
          "the database file is damaged (file is not a database): stop the server and restore a "
            + "backup")
      ) { try DatabaseRestore.stage(other.path, in: folder) }
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(!names.contains { $0.hasSuffix(".part") })
    }
  }

  @Test func `another program's database is rejected as a backup`() async throws {
    try await withFolder { folder in
      let store = try await openStore(folder)
      await store.close()
      let path = folder.appendingPathComponent("other.sqlite").path
      let other = try DatabaseQueue(path: path)
      try await other.write { try $0.execute(sql: "CREATE TABLE notes (text TEXT)") }
      try other.close()
      #expect(
        throws: StoreError.damaged(
          "the file is not a Gatehouse database: name another folder, or move the file away")
      ) { try DatabaseRestore.stage(path, in: folder) }
    }
  }

  @Test func `a backup with a damaged page is rejected`() async throws {
    try await withFolder { folder in
      let path = folder.appendingPathComponent("copy.sqlite").path
      let store = try await openStore(folder)
      try await spend(0..<2000, store)
      _ = try DatabaseBackup.make(of: folder, at: path)
      await store.close()
      var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      // Overwrite one page of rows in the middle.
      let page = bytes.count / 4096 / 2 * 4096
      bytes.replaceSubrange(page..<page + 4096, with: Data(repeating: 0xFF, count: 4096))
      try bytes.write(to: URL(fileURLWithPath: path))
      #expect {
        try DatabaseRestore.stage(path, in: folder)
      } throws: { error in
        guard case .damaged = error as? StoreError else { return false }
        return true
      }
    }
  }
}
