import Foundation
import GatehouseServer
import GatehouseProtocol
import Synchronization
import Testing

@Suite struct TransactionTests {
  struct Refusal: Error, Equatable {}

  @Test(arguments: StoreFactory.all)
  func `an error undoes the whole transaction and is thrown unchanged`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      await #expect(throws: Refusal()) {
        try await store.write { transaction in
          try transaction.save(Sample.fullAccount("alice"), in: project)
          _ = try transaction.spend(Sample.token(1), in: project)
          throw Refusal()
        }
      }
      let (accounts, isNew) = try await store.write { transaction in
        (
          try transaction.accounts(after: nil, limit: 10, in: project).count,
          try transaction.spend(Sample.token(1), in: project)
        )
      }
      #expect(accounts == 0)
      #expect(isNew)
    }
  }

  @Test(arguments: StoreFactory.all)
  func `a failed attempt undoes only what it wrote`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      try await store.write { transaction in
        _ = try transaction.spend(Sample.token(1), in: project)
        let outcome = try transaction.attempt {
          _ = try transaction.spend(Sample.token(2), in: project)
          throw Refusal()
        }
        #expect(throws: Refusal()) { try outcome.get() }
        let value = try transaction.attempt { try transaction.spend(Sample.token(3), in: project) }
        #expect(try value.get())
      }
      let spent = try await store.read { transaction in
        try (1...3).map { try transaction.isSpent(Sample.token($0), in: project) }
      }
      #expect(spent == [true, false, true])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `a store's own error in an attempt undoes the whole transaction`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      await #expect(throws: StoreError.conflict(.email)) {
        try await store.write { transaction in
          _ = try transaction.spend(Sample.token(1), in: project)
          try transaction.save(Sample.fullAccount("alice"), in: project)
          _ = try transaction.attempt {
            var bob = try Sample.account("bob")
            bob.email = try Sample.fullAccount("alice").email
            try transaction.save(bob, in: project)
          }
        }
      }
      #expect(try await store.read { try $0.isSpent(Sample.token(1), in: project) } == false)
    }
  }

  @Test(arguments: StoreFactory.all)
  func `an error undoes no concurrent transaction`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      let refused = await withTaskGroup(of: Bool.self, returning: Int.self) { group in
        for number in 0..<60 as Range<UInt8> {
          group.addTask {
            do {
              try await store.write { transaction in
                _ = try transaction.spend(Sample.token(number), in: project)
                if number % 3 == 0 { throw Refusal() }
              }
              return false
            } catch {
              return true
            }
          }
        }
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(refused == 20)
      let isNew = try await store.write { transaction in
        try (0..<60).map { try transaction.spend(Sample.token($0), in: project) }
      }
      #expect(isNew == (0..<60).map { $0 % 3 == 0 })
    }
  }

  @Test(arguments: StoreFactory.all)
  func `a conflict that the caller handles keeps the rest of its transaction`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      let isHandled = try await store.write { transaction in
        try transaction.save(Sample.account("alice", subject: "s"), in: project)
        var isHandled = false
        do {
          try transaction.insert(Sample.session(1, of: "alice"), in: project)
          try transaction.insert(Sample.session(1, of: "alice"), in: project)
        } catch StoreError.conflict(.other) {
          isHandled = true
        }
        try transaction.save(Sample.account("bob"), in: project)
        return isHandled
      }
      #expect(isHandled)
      let uids = try await store.read { transaction in
        try transaction.accounts(after: nil, limit: 10, in: project).map(\.uid.text)
      }
      #expect(uids == ["alice", "bob"])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `an attempt after a handled conflict still undoes only what it wrote`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      try await store.write { transaction in
        try transaction.save(Sample.account("alice", subject: "s"), in: project)
        try transaction.insert(Sample.session(1, of: "alice"), in: project)
        do {
          try transaction.insert(Sample.session(1, of: "alice"), in: project)
          _ = try transaction.spend(Sample.token(9), in: project)
        } catch StoreError.conflict(.other) {}
        let refused = try transaction.attempt {
          _ = try transaction.spend(Sample.token(1), in: project)
          throw Refusal()
        }
        #expect(throws: Refusal()) { try refused.get() }
        let value = try transaction.attempt { try transaction.spend(Sample.token(2), in: project) }
        #expect(try value.get())
      }
      let spent = try await store.read { transaction in
        try (1...2).map { try transaction.isSpent(Sample.token($0), in: project) }
      }
      #expect(spent == [false, true])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `a read that writes is refused and changes nothing`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      await #expect(throws: StoreError.readOnly) {
        try await store.read { try $0.save(Sample.account("alice"), in: project) }
      }
      let found = try await store.read { try $0.account(Sample.uid("alice"), in: project) }
      #expect(found == nil)
    }
  }

  @Test(arguments: StoreFactory.all)
  func `a read sees one snapshot during concurrent writes`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      // Two values that every transaction keeps equal.
      try await store.write { transaction in
        try transaction.setServerValue("left", to: [0])
        try transaction.setServerValue("right", to: [0])
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          for number in 1...100 as ClosedRange<UInt8> {
            try await store.write { transaction in
              try transaction.setServerValue("left", to: [number])
              try transaction.setServerValue("right", to: [number])
            }
          }
        }
        for _ in 0..<4 {
          group.addTask {
            for _ in 0..<50 {
              let (left, right) = try await store.read { transaction in
                (try transaction.serverValue("left"), try transaction.serverValue("right"))
              }
              #expect(left == right)
            }
          }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test(arguments: StoreFactory.all)
  func `a cancelled caller's write is carried out`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<20 {
          group.addTask {
            try await store.write { transaction in
              let count = try transaction.serverValue("count")?.first ?? 0
              try transaction.setServerValue("count", to: [count &+ 1])
            }
          }
        }
        group.cancelAll()
        try await group.waitForAll()
      }
      let count = try await store.read { try $0.serverValue("count") }
      #expect(count == [20])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `only changes that servers must see move the change counter`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      let admin = AdminKeyRecord(
        prefix: "gha_one", digest: [1], project: nil, createdAt: Sample.now, expiresAt: nil)
      let signing = SigningKeyRecord(
        keyID: "k", ring: .idTokens, privateKey: Secret([1]), publishedAt: Sample.now)
      let changes: [@Sendable (Transaction) throws -> Void] = [
        { try $0.save(Sample.project("third-project")) },
        { try $0.deleteProject(#require(ProjectID("third-project"))) },
        { try $0.insert(APIKey(text: "key", project: project)) },
        {
          try $0.save(
            ProviderConfiguration(id: .google, clientID: "c", trustEmail: .never), in: project)
        },
        { _ = try $0.deleteProvider(.google, in: project) },
        { try $0.insert(admin) },
        { _ = try $0.deleteAdminKey(prefix: "gha_one") },
        { try $0.save(signing) },
        { try $0.deleteSigningKey("k", of: .idTokens) },
      ]
      for (position, change) in changes.enumerated() {
        let before = try await store.changeCounter()
        try await store.write(change)
        let after = try await store.changeCounter()
        #expect(after > before, "change \(position)")
      }
      let before = try await store.changeCounter()
      try await store.write { transaction in
        try transaction.save(Sample.fullAccount("alice"), in: project)
        try transaction.insert(Sample.session(1, of: "alice"), in: project)
        _ = try transaction.spend(Sample.token(1), in: project)
      }
      #expect(try await store.changeCounter() == before)
    }
  }
}
