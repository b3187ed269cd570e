import Foundation
import GRDB
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct OpeningTests {
  @Test func `the folder and its files are private to their owner`() async throws {
    try await withFolder { folder in
      let store = try await openStore(folder)
      let permissions = try ["", "gatehouse.sqlite", "gatehouse.sqlite-wal"].map { name in
        let path = folder.appendingPathComponent(name).path
        return try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      }
      #expect(permissions == [0o700, 0o600, 0o600])
      await store.close()
    }
  }

  @Test func `closing copies the log into the one file`() async throws {
    try await withFolder { folder in
      let store = try await openStore(folder)
      await store.close()
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(names == ["gatehouse.sqlite"])
    }
  }

  @Test func `a commit waits for the disk and foreign keys hold`() async throws {
    try await withFolder { folder in
      let store = try await openStore(folder)
      #expect(try await store.pragma("synchronous") == "2")
      #expect(try await store.pragma("foreign_keys") == "1")
      #expect(try await store.pragma("journal_mode") == "wal")
      await store.close()
    }
  }

  @Test func `a store that has met a damaged page says so from then on`() async throws {
    try await withFolder { folder in
      let full = try await openStore(folder)
      try await full.write { transaction in
        for number in 0..<2000 {
          try transaction.setServerValue("value/\(number)", to: Array(repeating: 1, count: 100))
        }
      }
      await full.close()
      let url = URL(fileURLWithPath: databasePath(folder))
      var bytes = try Data(contentsOf: url)
      // Pages of the rows, which were written last.
      let page = bytes.count / 4096 * 4 / 5 * 4096
      bytes.replaceSubrange(page..<page + 20_480, with: Data(repeating: 0xFF, count: 20_480))
      try bytes.write(to: url)

      let store = try SQLiteStore.open(at: folder, sealing: TaggingSealer())
      _ = try await store.changeCounter()
      #expect(store.fault == nil)
      let error = await #expect(throws: StoreError.self) {
        try await store.read { try $0.serverValues(withPrefix: "value/") }
      }
      #expect(
        error
          == .damaged(
            "the database file is damaged (database disk image is malformed): stop the server and "
              + "restore a backup"))
      _ = try await store.changeCounter()
      #expect(store.fault == error)
      await store.close()
    }
  }

  @Test func `a full disk or a broken rule is no damage`() async throws {
    try await withFolder { folder in
      let store = try await openStore(folder)
      await #expect(throws: StoreError.readOnly) {
        try await store.read { try $0.setServerValue("a", to: [1]) }
      }
      #expect(store.fault == nil)
      await store.close()
    }
  }

  @Test func `another program's database is rejected`() async throws {
    try await withFolder { folder in
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let other = try connect(folder)
      try await other.write { try $0.execute(sql: "CREATE TABLE notes (text TEXT)") }
      try other.close()
      #expect(
        throws: StoreError.damaged(
          "the file is not a Gatehouse database: name another folder, or move the file away")
      ) { try SQLiteStore.open(at: folder, sealing: TaggingSealer()) }
    }
  }

  @Test func `a file that is no database is rejected with a remedy`() async throws {
    try await withFolder { folder in
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(repeating: 0x41, count: 8192).write(to: URL(fileURLWithPath: databasePath(folder)))
      #expect(
        throws: StoreError.damaged(
          "the database file is damaged (file is not a database): stop the server and restore a "
            + "backup")
      ) { try SQLiteStore.open(at: folder, sealing: TaggingSealer()) }
    }
  }

  @Test func `the error names a folder that can't be created`() throws {
    #expect {
      try SQLiteStore.open(at: URL(fileURLWithPath: "/dev/null/data"), sealing: TaggingSealer())
    } throws: { error in
      guard case .unavailable(let detail) = error as? StoreError else { return false }
      return detail.contains("/dev/null/data")
    }
  }

  @Test func `the files contain no secret as plain text`() async throws {
    try await withFolder { folder in
      let store = try await openStore(folder)
      let project = try projectID()
      let secrets = ["client-secret-4711", "apple-key-4711", "signing-key-4711"]
      var provider = ProviderConfiguration(id: .apple, clientID: "client", trustEmail: .never)
      provider.clientSecret = Secret(secrets[0])
      provider.apple = .init(bundleIDs: [], privateKey: Secret(secrets[1]))
      let key = SigningKeyRecord(
        keyID: "k", ring: .idTokens, privateKey: Secret(Array(secrets[2].utf8)),
        publishedAt: Date(timeIntervalSince1970: 0))
      let saved = provider
      try await store.write { transaction in
        try transaction.save(saved, in: project)
        try transaction.save(key)
      }
      var files = Data()
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
        files += try Data(contentsOf: folder.appendingPathComponent(name))
      }
      // The search works: text that isn't secret is found.
      #expect(files.range(of: Data("auth.example.com".utf8)) != nil)
      for secret in secrets { #expect(files.range(of: Data(secret.utf8)) == nil) }
      await store.close()
    }
  }

  @Test func `a secret that was moved to another row is rejected`() async throws {
    try await withFolder { folder in
      let store = try await openStore(folder)
      let project = try projectID()
      var provider = ProviderConfiguration(id: .google, clientID: "client", trustEmail: .never)
      provider.clientSecret = Secret("a client secret")
      let saved = provider
      try await store.write { try $0.save(saved, in: project) }
      let other = try connect(folder)
      try await other.write { try $0.execute(sql: "UPDATE providers SET id = 'facebook.com'") }
      await #expect(throws: StoreError.damaged("sealed elsewhere")) {
        try await store.read { try $0.providers(in: project).count }
      }
      await store.close()
    }
  }
}
