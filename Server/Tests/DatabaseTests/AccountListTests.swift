import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct AccountListTests {
  @Test(arguments: StoreFactory.all)
  func `accounts are listed from an offset, in either order`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      try await store.write { transaction in
        for uid in ["b", "a", "c", "d"] { try transaction.save(Sample.account(uid), in: project) }
        try transaction.save(Sample.account("other"), in: Sample.second)
      }
      let lists = try await store.read { transaction in
        try [(1, 2, false), (1, 2, true), (4, 2, false), (0, 0, false), (-1, 2, false)].map {
          try transaction.accounts(offset: $0, limit: $1, isDescending: $2, in: project)
        }
      }
      #expect(lists.map { $0.map(\.uid.text) } == [["b", "c"], ["c", "b"], [], [], []])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `the count is correct after every change, also after a rollback`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      func count() async throws -> Int { try await store.read { try $0.accountCount(in: project) } }
      try await store.write { transaction in
        for uid in ["a", "b", "a"] { try transaction.save(Sample.account(uid), in: project) }
        try transaction.save(Sample.account("other"), in: Sample.second)
      }
      #expect(try await count() == 2)
      await #expect(throws: StoreError.closed) {
        try await store.write { transaction in
          try transaction.save(Sample.account("c"), in: project)
          throw StoreError.closed
        }
      }
      #expect(try await count() == 2)
      try await store.write { try $0.deleteAccount(Sample.uid("a"), in: project) }
      try await store.write { try $0.deleteAccount(Sample.uid("nobody"), in: project) }
      #expect(try await count() == 1)
      try await store.write { try $0.deleteProject(project) }
      #expect(try await count() == 0)
      try await store.write { try $0.save(try Sample.project("first-project")) }
      #expect(try await count() == 0)
    }
  }

  @Test(arguments: StoreFactory.all)
  func `every account of a list has its own values and identities, in their order`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      let accounts = [
        try Sample.fullAccount("c"), try Sample.account("a"), try Sample.account("b", subject: "b"),
      ]
      try await store.write { transaction in
        for account in accounts { try transaction.save(account, in: project) }
        // The same identities in another project.
        try transaction.save(Sample.fullAccount("c"), in: Sample.second)
      }
      let expected = [accounts[1], accounts[2], accounts[0]].map { contents($0) }
      let (first, next, slice, fromEnd) = try await store.read { transaction in
        (
          try transaction.accounts(after: nil, limit: 3, in: project),
          try transaction.accounts(after: Sample.uid("a"), limit: 3, in: project),
          try transaction.accounts(offset: 1, limit: 1, isDescending: false, in: project),
          try transaction.accounts(offset: 0, limit: 3, isDescending: true, in: project)
        )
      }
      #expect(first.map { contents($0) } == expected)
      #expect(next.map { contents($0) } == Array(expected.dropFirst()))
      #expect(slice.map { contents($0) } == [expected[1]])
      #expect(fromEnd.map { contents($0) } == expected.reversed())
    }
  }
}
