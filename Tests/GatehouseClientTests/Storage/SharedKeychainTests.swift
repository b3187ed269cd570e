#if canImport(Security) && os(Linux)
  import Foundation
  import GatehouseClient
  import Security
  import Testing

  /// An app and its extension, or a Mac app without the capability Keychain Sharing.
  @Suite struct SharedKeychainTests {
    private let service = UUID().uuidString

    private func store(group: String?, fallback: (any SessionStore)? = nil) -> KeychainStore {
      KeychainStore(
        service: service, application: "com.example.app", accessGroup: group,
        reinstallation: .startSignedOut, marker: MemoryStore(), fallback: fallback)
    }

    @Test func `a running extension sees the app's sign-in and sign-out`() async throws {
      let app = try Bench(store: store(group: "TEAM.shared"))
      let inExtension = try Bench(store: store(group: "TEAM.shared")).client
      #expect(try inExtension.load() == .signedOut)
      try await app.signedIn()
      #expect(try await eventually { inExtension.currentUser?.uid == "alice" })
      try app.client.signOut()
      #expect(try await eventually { inExtension.state == .signedOut })
    }

    @Test func `without the entitlement, a Mac app's session is in the other store`() throws {
      let file = MemoryStore()
      SimulatedKeychain[service].entitledGroups = []
      let store = store(group: nil, fallback: file)
      #expect(try store.read("k") == nil)
      try store.write(Data([1]), for: "k")
      #expect(try store.update("k") { $0 } == Data([1]))
      #expect(try file.read("k") == Data([1]))
      try store.remove("k")
      #expect(try file.read("k") == nil)
    }

    @Test func `with the entitlement, it is in the keychain`() throws {
      let file = MemoryStore()
      let store = store(group: nil, fallback: file)
      try store.write(Data([1]), for: "k")
      #expect(try file.read("k") == nil)
      #expect(try store.read("k") == Data([1]))
    }

    @Test func `without the entitlement, a group has no other store`() throws {
      SimulatedKeychain[service].entitledGroups = []
      let store = store(group: "TEAM.shared", fallback: MemoryStore())
      #expect { try store.read("k") } throws: { error in
        (error as? StoreFault)?.kind == .unreadable
      }
    }
  }
#endif
