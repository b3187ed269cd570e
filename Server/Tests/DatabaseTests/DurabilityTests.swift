import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct DurabilityTests {
  @Test(arguments: StoreFactory.all)
  func `acknowledged writes are there after closing and opening`(
    _ factory: StoreFactory
  ) async throws {
    try await withFolder { folder in
      let project = try Sample.first
      let store = try factory.open(folder)
      try await store.write { transaction in
        try transaction.save(Sample.project("first-project"))
        try transaction.save(Sample.fullAccount("alice"), in: project)
        try transaction.insert(Sample.session(1, of: "alice"), in: project)
        _ = try transaction.spend(Sample.token(1), in: project)
      }
      let counter = try await store.changeCounter()
      await store.close()

      let again = try factory.open(folder)
      let (account, session, isNew) = try await again.write { transaction in
        (
          try transaction.account(Sample.uid("alice"), in: project),
          try transaction.session(Sample.session(1, of: "alice").id, in: project),
          try transaction.spend(Sample.token(1), in: project)
        )
      }
      #expect(contents(account) == contents(Optional(try Sample.fullAccount("alice"))))
      #expect(session == (try Sample.session(1, of: "alice")))
      #expect(!isNew)
      #expect(try await again.changeCounter() == counter)
      await again.close()
    }
  }

  @Test(arguments: StoreFactory.all)
  func `closing waits for pending writes, then refuses others`(
    _ factory: StoreFactory
  ) async throws {
    try await withFolder { folder in
      let store = try factory.open(folder)
      let written = await withTaskGroup(of: Bool.self, returning: Int.self) { group in
        for number in 0..<50 as Range<UInt8> {
          group.addTask {
            do {
              try await store.write { try $0.setServerValue("value \(number)", to: [number]) }
              return true
            } catch {
              #expect(error as? StoreError == .closed)
              return false
            }
          }
        }
        group.addTask {
          await store.close()
          return false
        }
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      await #expect(throws: StoreError.closed) { try await store.read { try $0.projects().count } }
      await #expect(throws: StoreError.closed) {
        try await store.write { try $0.setServerValue("late", to: []) }
      }
      let again = try factory.open(folder)
      let found = try await again.read { transaction in
        try (0..<50).count { try transaction.serverValue("value \($0)") != nil }
      }
      #expect(found == written)
      await again.close()
    }
  }
}
