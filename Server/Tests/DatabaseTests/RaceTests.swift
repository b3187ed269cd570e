import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct RaceTests {
  @Test(arguments: StoreFactory.all)
  func `if a hundred callers spend one token at once, exactly one succeeds`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      let answers = try await atOnce(100) { _ in
        try await store.write { try $0.spend(Sample.token(7), in: project) }
      }
      #expect(answers.count { $0 } == 1)
    }
  }

  @Test(arguments: StoreFactory.all)
  func `if two accounts link one identity at once, one gets it`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      let outcomes = try await atOnce(2) { number -> StoreError? in
        do {
          try await store.write {
            try $0.save(Sample.account("person \(number)", subject: "shared"), in: project)
          }
          return nil
        } catch let error as StoreError {
          return error
        }
      }
      #expect(outcomes.count { $0 == nil } == 1)
      #expect(outcomes.count { $0 == .conflict(.identity) } == 1)
    }
  }

  @Test(arguments: StoreFactory.all)
  func `refreshes of one session are serialized`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      let session = try Sample.session(1, of: "alice")
      try await store.write { try $0.insert(session, in: project) }
      let rotations = try await atOnce(50) { _ in
        try await store.write { transaction -> UInt32? in
          guard var session = try transaction.session(session.id, in: project) else { return nil }
          session.rotation += 1
          try transaction.update(session, in: project)
          return session.rotation
        }
      }
      #expect(Set(rotations.compactMap(\.self)) == Set(1...50))
    }
  }

  @Test(arguments: StoreFactory.all)
  func `two stores on one database see each other's changes`(_ factory: StoreFactory) async throws {
    try await withFolder { folder in
      let stores = [try factory.open(folder), try factory.open(folder)]
      let project = try Sample.first
      try await stores[0].write { try $0.save(Sample.project("first-project")) }
      let counter = try await stores[1].changeCounter()
      let answers = try await atOnce(40) { number in
        try await stores[number % 2].write { transaction in
          try transaction.spend(Sample.token(UInt8(number / 2)), in: project)
        }
      }
      #expect(answers.count { $0 } == 20)
      try await stores[0].write { try $0.save(Sample.project("second-project")) }
      #expect(try await stores[1].changeCounter() > counter)
      for store in stores { await store.close() }
    }
  }
}

/// Runs `body` for 0, 1, … `count` − 1 concurrently and returns all results, in any order.
private func atOnce<Answer: Sendable>(
  _ count: Int, _ body: @escaping @Sendable (Int) async throws -> Answer
) async throws -> [Answer] {
  try await withThrowingTaskGroup(of: Answer.self) { group in
    for number in 0..<count { group.addTask { try await body(number) } }
    return try await group.reduce(into: []) { $0.append($1) }
  }
}
