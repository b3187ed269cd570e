// The real keychain wants a signed app: here it is the stand-in.
#if canImport(Security) && os(Linux)
  import Foundation
  import GatehouseClient
  import Security
  import Testing

  /// One keychain for the process: one test at a time, each with a service of its own.
  @Suite(.serialized) struct KeychainStoreTests {
    private let service = UUID().uuidString
    private let marker = MemoryStore()

    private func store(
      _ reinstallation: Reinstallation = .startSignedOut, group: String? = nil,
      marker: MemoryStore? = nil
    ) -> KeychainStore {
      KeychainStore(
        service: service, accessGroup: group, reinstallation: reinstallation,
        marker: marker ?? self.marker)
    }

    @Test func `a store of a group and one without don't see each other's sessions`() throws {
      try store(group: "group.example").write(Data("theirs".utf8), for: "k")
      #expect(try store().read("k") == nil)
      try store().write(Data("own".utf8), for: "k")
      try store().remove("k")
      #expect(try store(group: "group.example").read("k") == Data("theirs".utf8))
    }

    @Test func `what was written is there after a restart`() throws {
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

    @Test func `an installation after the app was deleted starts signed out`() throws {
      try store().write(Data([1]), for: "k")
      #expect(try store(marker: MemoryStore()).read("k") == nil)
      #expect(try store().read("k") == nil)
    }

    @Test func `unless the app wants to keep the session`() throws {
      try store().write(Data([1]), for: "k")
      #expect(try store(.keepSession, marker: MemoryStore()).read("k") == Data([1]))
    }

    @Test func `a new app of a group leaves the others' items alone`() throws {
      try store(group: "TEAM.shared").write(Data([1]), for: "k")
      #expect(try store(group: "TEAM.shared", marker: MemoryStore()).read("k") == Data([1]))
    }

    @Test func `a locked device is told, and forgets nothing`() throws {
      try store().write(Data([1]), for: "k")
      SimulatedKeychain.isLocked = true
      defer { SimulatedKeychain.isLocked = false }
      let locked = StoreFault(
        .locked, detail: "The device hasn't been unlocked since its start")
      #expect(throws: locked) { try store().read("k") }
      #expect(throws: locked) { try store().write(Data([2]), for: "k") }
      #expect(throws: locked) { try store().remove("k") }
      #expect(throws: locked) { try store(marker: MemoryStore()).read("k") }
      SimulatedKeychain.isLocked = false
      #expect(try store().read("k") == Data([1]))
    }

    @Test func `another answer of the keychain's is named`() throws {
      try store().write(Data([1]), for: "k")
      SimulatedKeychain.failure = -34018
      defer { SimulatedKeychain.failure = nil }
      #expect(throws: StoreFault(.unreadable, detail: "The keychain answered -34018")) {
        try store().read("k")
      }
      #expect(throws: StoreFault(.unwritable, detail: "The keychain answered -34018")) {
        try store().remove("k")
      }
    }
  }
#endif
