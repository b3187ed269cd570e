// The real keychain requires a signed app: this is the stand-in.
#if canImport(Security) && os(Linux)
  import Foundation
  import GatehouseClient
  import Security
  import Testing

  /// The process has one keychain, so tests run one at a time, each with its own service.
  @Suite(.serialized) struct KeychainStoreTests {
    private let service = UUID().uuidString
    private let marker = MemoryStore()

    private func store(
      _ reinstallation: Reinstallation = .startSignedOut,
      of application: String = "com.example.app",
      group: String? = nil, marker: (any SessionStore)? = nil
    ) -> KeychainStore {
      KeychainStore(
        service: service, application: application, accessGroup: group,
        reinstallation: reinstallation, marker: marker ?? self.marker)
    }

    @Test func `two apps that share a group don't change each other's items`() throws {
      SimulatedKeychain.defaultGroup = "TEAM123456.shared"
      defer { SimulatedKeychain.defaultGroup = "TEAM123456.com.example.app" }
      try store().write(Data("app's".utf8), for: "k")
      let other = store(of: "com.example.other", marker: MemoryStore())
      // The first launch of the other app removes the items of its own earlier installation.
      #expect(try other.read("k") == nil)
      try other.write(Data("other's".utf8), for: "k")
      #expect(try store().read("k") == Data("app's".utf8))
      try other.remove("k")
      #expect(try store().read("k") == Data("app's".utf8))
    }

    @Test func `a store of a group and one without don't see each other's sessions`() throws {
      try store(group: "group.example").write(Data("theirs".utf8), for: "k")
      #expect(try store().read("k") == nil)
      try store().write(Data("own".utf8), for: "k")
      try store().remove("k")
      #expect(try store(group: "group.example").read("k") == Data("theirs".utf8))
    }

    @Test func `a written value exists after a restart`() throws {
      #expect(try store().read("k") == nil)
      try store().write(Data("one".utf8), for: "k")
      #expect(try store().read("k") == Data("one".utf8))
      try store().write(Data("two".utf8), for: "k")
      #expect(try store().read("k") == Data("two".utf8))
      let left = try store().update("k") { old in
        #expect(old == Data("two".utf8))
        return nil
      }
      #expect(left == nil)
      #expect(try store().read("k") == nil)
      try store().remove("k")
    }

    @Test func `a sign-out by another process during an update isn't undone`() throws {
      try store().write(Data("session".utf8), for: "k")
      var read: [Data?] = []
      let left = try store().update("k") { before in
        read.append(before)
        // Another process doesn't wait for this one's turn.
        if before != nil { SimulatedKeychain.removeAll(service: "\(service) of com.example.app") }
        return before
      }
      #expect(read == [Data("session".utf8), nil])
      #expect(left == nil)
      #expect(try store().read("k") == nil)
    }

    @Test(arguments: [true, false])
    func `a sign-in by another process during an update is what the update changes`(
      _ isRemoving: Bool
    ) throws {
      try store().write(Data("one".utf8), for: "k")
      var read: [Data?] = []
      let left = try store().update("k") { before in
        read.append(before)
        if read.count == 1 {
          SimulatedKeychain.replaceAll(
            service: "\(service) of com.example.app", with: Data("two".utf8))
          return isRemoving ? nil : before
        }
        return before
      }
      #expect(read == [Data("one".utf8), Data("two".utf8)])
      #expect(left == Data("two".utf8))
      #expect(try store().read("k") == Data("two".utf8))
    }

    @Test func `an installation after the app was deleted starts signed out`() throws {
      try store().write(Data([1]), for: "k")
      #expect(try store(marker: MemoryStore()).read("k") == nil)
      #expect(try store().read("k") == nil)
    }

    @Test func `a full disk at the first use doesn't prevent reading, and nothing is stored`()
      throws
    {
      try store().write(Data([1]), for: "k")
      let full = FaultyStore()
      full.fail(writing: FaultyStore.unwritable)
      let reinstalled = store(marker: full)
      #expect(try reinstalled.read("k") == nil)
      try reinstalled.remove("k")
      #expect(throws: FaultyStore.unwritable) { try reinstalled.write(Data([2]), for: "k") }
      #expect(throws: FaultyStore.unwritable) {
        try reinstalled.update("k") { _ in Data([2]) }
      }
      full.fail()
      try reinstalled.write(Data([2]), for: "k")
      #expect(try store(marker: full).read("k") == Data([2]))
    }

    @Test func `unless the app wants to keep the session`() throws {
      try store().write(Data([1]), for: "k")
      #expect(try store(.keepSession, marker: MemoryStore()).read("k") == Data([1]))
    }

    @Test func `a new app of a group keeps the other apps' items`() throws {
      try store(group: "TEAM.shared").write(Data([1]), for: "k")
      #expect(try store(group: "TEAM.shared", marker: MemoryStore()).read("k") == Data([1]))
    }

    private let locked = StoreFault(.locked, detail: "The device is locked")

    @Test(arguments: [SimulatedKeychain.Lock.refusing, .hiding])
    func `a locked device is reported, and nothing is forgotten`(
      lock: SimulatedKeychain.Lock
    ) throws {
      try store().write(Data([1]), for: "k")
      SimulatedKeychain[service].lock = lock
      #expect(throws: locked) { try store().read("k") }
      #expect(throws: locked) { try store().write(Data([2]), for: "k") }
      #expect(throws: locked) { try store().remove("k") }
      #expect(throws: locked) {
        try store().update("k") { _ in
          Issue.record("changed")
          return nil
        }
      }
      // The marker of the installation looks as if it were missing.
      #expect(throws: locked) { try store(marker: MemoryStore()).read("k") }
      SimulatedKeychain[service].lock = .unlocked
      #expect(try store().read("k") == Data([1]))
    }

    @Test func `a device that is locked during an update or a removal is reported`() throws {
      for isRemoving in [true, false] {
        try store().write(Data([1]), for: "k")
        #expect(throws: locked) {
          try store().update("k") { _ in
            SimulatedKeychain[service].lock = .hiding
            return isRemoving ? nil : Data([2])
          }
        }
        SimulatedKeychain[service].lock = .unlocked
        #expect(try store().read("k") == Data([1]))
      }
    }

    @Test func `an item can be used while only the screen is locked, and none is missing then`()
      throws
    {
      try store().write(Data([1]), for: "k")
      SimulatedKeychain[service].lock = .screen
      #expect(try store().read("k") == Data([1]))
      try store().write(Data([2]), for: "k")
      #expect(try store().update("k") { _ in Data([3]) } == Data([3]))
      try store().remove("k")
      #expect(throws: locked) { try store().read("k") }
      SimulatedKeychain[service].lock = .unlocked
      #expect(try store().read("k") == nil)
    }

    @Test func `a question whether the device is unlocked leaves nothing in the keychain`() throws {
      #expect(try store().read("k") == nil)
      let query: [String: Any] = [
        kSecClass: kSecClassGenericPassword, kSecAttrService: "\(service) of com.example.app",
      ]
      #expect(unsafe SecItemCopyMatching(query as CFDictionary, nil) == errSecItemNotFound)
    }

    @Test func `a group without an entitlement is reported`() throws {
      let store = store(group: "TEAM.shared")
      SimulatedKeychain[service].entitledGroups = ["TEAM.com.example.app"]
      #expect { try store.read("k") } throws: { error in
        (error as? StoreFault)?.kind == .unreadable
      }
      SimulatedKeychain[service].entitledGroups = ["TEAM.shared"]
      #expect(try store.read("k") == nil)
    }

    @Test func `an item that can't be read is replaced`() throws {
      #expect(try store().read("k") == nil)
      let item: [String: Any] = [
        kSecClass: kSecClassGenericPassword, kSecAttrService: "\(service) of com.example.app",
        kSecAttrAccount: "k", kSecUseDataProtectionKeychain: true,
      ]
      try #require(unsafe SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
      #expect(
        throws: StoreFault(.unreadable, detail: "The keychain's answer contains no data")
      ) { try store().read("k") }
      try store().write(Data([1]), for: "k")
      #expect(try store().read("k") == Data([1]))
    }

    @Test func `another status of the keychain is reported`() throws {
      try store().write(Data([1]), for: "k")
      SimulatedKeychain[service].failure = errSecDecode
      #expect(throws: StoreFault(.unreadable, detail: "The keychain answered -26275")) {
        try store().read("k")
      }
      #expect(throws: StoreFault(.unwritable, detail: "The keychain answered -26275")) {
        try store().remove("k")
      }
    }
  }
#endif
