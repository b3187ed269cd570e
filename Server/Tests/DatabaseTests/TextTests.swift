import GatehouseServer
import GatehouseProtocol
import Testing

/// PostgreSQL stores no text with the character U+0000, so no store does.
@Suite struct TextTests {
  private static let text = "a\u{0}b"

  @Test(arguments: StoreFactory.all)
  func `a text with a zero character is refused, and nothing of its transaction stays`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      var account = try Sample.account("alice")
      account.displayName = Self.text
      let (other, refused) = (try Sample.account("bob"), account)
      await #expect(throws: StoreError.zeroCharacter) {
        try await store.write { transaction in
          try transaction.save(other, in: project)
          try transaction.save(refused, in: project)
        }
      }
      await #expect(throws: StoreError.zeroCharacter) {
        try await store.write { try $0.deleteAdminKey(prefix: Self.text) }
      }
      try await store.write { try $0.save(other, in: project) }
      let count = try await store.read { try $0.accountCount(in: project) }
      #expect(count == 1)
    }
  }

  @Test(arguments: StoreFactory.all)
  func `nothing is found by a text with a zero character`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      let saved = try Sample.fullAccount("alice")
      try await store.write { transaction in
        try transaction.save(saved, in: project)
        try transaction.insert(APIKey(text: "a", project: project))
      }
      let found = try await store.read { transaction in
        [
          try transaction.apiKey(Self.text) != nil,
          try transaction.apiKey("a\u{0}") != nil,
          try transaction.account(phoneNumber: "+15550100\u{0}", in: project) != nil,
          try transaction.account(phoneNumber: "+15550100", in: project) != nil,
        ]
      }
      #expect(found == [false, false, false, true])
    }
  }
}
