import Foundation
import GatehouseClient
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

@Suite struct FileStoreTests {
  private func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require((attributes[.posixPermissions] as? NSNumber)?.intValue)
  }

  /// The file of the key `k`, which contains `one`.
  private func with(_ body: (FileStore, _ path: String) throws -> Void) throws {
    try StoreFolderForTest.with { folder throws in
      let store = FileStore(directory: folder)
      try store.write(Data("one".utf8), for: "k")
      try body(store, folder.appending(path: "k.session").path(percentEncoded: false))
    }
  }

  @Test func `only the owner can read the files and enter the folder`() throws {
    try with { store, path throws in
      #expect(try mode(path) == 0o600)
      #expect(try mode(store.directory.path(percentEncoded: false)) == 0o700)
      #expect(
        try FileManager.default.contentsOfDirectory(
          atPath: store.directory.path(percentEncoded: false)
        ).sorted() == [".lock", "k.session"])
    }
  }

  @Test func `parent folders are created`() throws {
    try StoreFolderForTest.with { folder throws in
      let deep = folder.appending(path: "a/b")
      try FileStore(directory: deep).write(Data([1]), for: "k")
      #expect(try FileStore(directory: deep).read("k") == Data([1]))
      #expect(try mode(folder.path(percentEncoded: false)) == 0o700)
    }
  }

  @Test func `reading a missing file creates nothing`() throws {
    try StoreFolderForTest.with { folder throws in
      #expect(try FileStore(directory: folder).read("k") == nil)
      try FileStore(directory: folder).remove("k")
      #expect(!FileManager.default.fileExists(atPath: folder.path(percentEncoded: false)))
    }
  }

  @Test func `a file that other users may read is refused, and a new session repairs it`() throws {
    try with { store, path throws in
      chmod(path, 0o640)
      #expect(
        throws: StoreFault(
          .unreadable,
          detail: "Other users may read \(path): run chmod 600, and sign out if one did")
      ) { try store.read("k") }
      try store.write(Data("two".utf8), for: "k")
      #expect(try store.read("k") == Data("two".utf8))
      #expect(try mode(path) == 0o600)
    }
  }

  @Test func `a symbolic link is refused, and its target stays when the link is replaced`() throws {
    try with { store, path throws in
      let elsewhere = path + ".elsewhere"
      #expect(rename(path, elsewhere) == 0)
      #expect(symlink(elsewhere, path) == 0)
      #expect(throws: StoreFault(.unreadable, detail: "\(path): a symbolic link is not followed")) {
        try store.read("k")
      }
      let before = try Data(contentsOf: URL(filePath: elsewhere))
      try store.write(Data("two".utf8), for: "k")
      #expect(try store.read("k") == Data("two".utf8))
      #expect(try Data(contentsOf: URL(filePath: elsewhere)) == before)
    }
  }

  @Test func `a pipe in a file's place is refused without waiting`() throws {
    try with { store, path throws in
      unlink(path)
      #expect(mkfifo(path, 0o600) == 0)
      #expect(throws: StoreFault(.unreadable, detail: "\(path) isn't a regular file")) {
        try store.read("k")
      }
    }
  }

  @Test func `a folder that other users may write to is refused`() throws {
    try with { store, path throws in
      let folder = String(path.dropLast("/k.session".count))
      chmod(folder, 0o770)
      #expect(
        throws: StoreFault(
          .unreadable,
          detail: "Other users may write to \(folder): run chmod go-w if this isn't intended")
      ) { try store.read("k") }
      chmod(folder, 0o750)
      #expect(try store.read("k") == Data("one".utf8))
    }
  }

  @Test(arguments: [0, 1, 40, 83, 84])
  func `a truncated file is damaged, never missing`(_ bytes: Int) throws {
    try with { store, path throws in
      let whole = try Data(contentsOf: URL(filePath: path))
      #expect(whole.count == 86)
      #expect(truncate(path, bytes) == 0)
      let fault = #expect(throws: StoreFault.self) { try store.read("k") }
      #expect(fault?.kind == .damaged)
      // It can be removed, so the user can sign out and in again.
      try store.remove("k")
      #expect(try store.read("k") == nil)
    }
  }

  @Test func `a byte that changed on the disk is reported as damage`() throws {
    try with { store, path throws in
      var bytes = try Data(contentsOf: URL(filePath: path))
      bytes[bytes.count - 1] ^= 1
      let file = try FileHandle(forWritingTo: URL(filePath: path))
      try file.write(contentsOf: bytes)
      #expect(throws: StoreFault(.damaged, detail: "The file isn't what was written")) {
        try store.read("k")
      }
    }
  }

  @Test func `a file of a later version is damaged`() throws {
    try with { store, path throws in
      let file = try FileHandle(forUpdating: URL(filePath: path))
      try file.seek(toOffset: 16)
      try file.write(contentsOf: Data("2".utf8))
      #expect(throws: StoreFault(.damaged, detail: "A later version of the store wrote the file")) {
        try store.read("k")
      }
    }
  }

  @Test func `a draft that a killed writer left is overwritten`() throws {
    try with { store, path throws in
      try Data("half".utf8).write(to: URL(filePath: path + ".part"))
      #expect(try store.read("k") == Data("one".utf8))
      try store.write(Data("two".utf8), for: "k")
      #expect(try store.read("k") == Data("two".utf8))
      #expect(!FileManager.default.fileExists(atPath: path + ".part"))
    }
  }

  @Test func `waiting too long for the lock fails with busy`() throws {
    try StoreFolderForTest.with { folder throws in
      let store = FileStore(directory: folder)
      let impatient = FileStore(directory: folder, lockTimeout: 0.02)
      _ = try store.update("k") { _ throws(StoreFault) in
        #expect(
          throws: StoreFault(.busy, detail: "Another process holds the store's lock")
        ) { try impatient.write(Data([1]), for: "k") }
        // Readers don't wait.
        #expect(throws: Never.self) { try impatient.read("k") }
        return Data([2])
      }
      try impatient.write(Data([3]), for: "k")
      #expect(try store.read("k") == Data([3]))
    }
  }

  @Test(arguments: ["", ".", "..", "a/b", "a\u{0}b"])
  func `a name that isn't a folder name is refused`(_ name: String) {
    #expect(throws: StoreFault(.unwritable, detail: "\"\(name)\" isn't a valid folder name")) {
      try FileStore(application: name)
    }
  }

  #if os(Linux)
    @Test(
      arguments: [
        (["XDG_DATA_HOME": "/data", "HOME": "/home/a"], "/data/app/"),
        (["XDG_DATA_HOME": "data", "HOME": "/home/a"], "/home/a/.local/share/app/"),
        (["XDG_DATA_HOME": "", "HOME": "/home/a"], "/home/a/.local/share/app/"),
        (["HOME": "/home/a"], "/home/a/.local/share/app/"),
      ] as [([String: String], String)])
    func `files go where the XDG specification says`(
      _ environment: [String: String], _ folder: String
    ) throws {
      let store = try FileStore(application: "app", environment: environment)
      #expect(store.directory.path(percentEncoded: false) == folder)
    }

    @Test func `without a home folder there is no data folder`() {
      #expect(
        throws: StoreFault(
          .unwritable, detail: "Set XDG_DATA_HOME or HOME to say where data is kept")
      ) { try FileStore(application: "app", environment: ["HOME": "~"]) }
    }
  #endif
}
