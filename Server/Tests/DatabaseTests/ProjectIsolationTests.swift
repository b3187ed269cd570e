import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct ProjectIsolationTests {
  @Test(arguments: StoreFactory.all)
  func `the same values in two projects are two accounts`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      let (first, second) = (try Sample.first, try Sample.second)
      let one = try Sample.fullAccount("alice")
      var two = one
      two.displayName = "Another"
      let other = two
      try await store.write { transaction in
        try transaction.save(one, in: first)
        try transaction.save(other, in: second)
        try transaction.touch(
          one.uid, in: second, lastLoginAt: .distantPast, lastRefreshAt: .distantPast)
        try transaction.deleteAccount(one.uid, in: second)
      }
      let (kept, gone) = try await store.read { transaction in
        (
          try transaction.accounts(after: nil, limit: 10, in: first),
          try found(one, in: second, transaction)
        )
      }
      #expect(contents(kept) == contents([one]))
      #expect(gone == 0)
    }
  }

  @Test(arguments: StoreFactory.all)
  func `nothing of one project is found in another`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      let (first, second) = (try Sample.first, try Sample.second)
      let account = try Sample.fullAccount("alice")
      try await store.write { try $0.save(account, in: first) }
      let counts = try await store.read { transaction in
        try [first, second, #require(ProjectID("no-project"))].map {
          try found(account, in: $0, transaction)
        }
      }
      #expect(counts == [5, 0, 0])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `a session is changed only by its own project`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      let (first, second) = (try Sample.first, try Sample.second)
      let session = try Sample.session(1, of: "alice")
      let (kept, other) = try await store.write { transaction in
        try transaction.insert(session, in: first)
        var changed = session
        changed.rotation = 5
        try transaction.update(changed, in: second)
        try transaction.endSessions(
          of: session.uid, in: second, startedAtOrBefore: nil, ending: Sample.ending())
        try transaction.trimSessions(of: session.uid, in: second, keeping: 0)
        return (
          try transaction.session(session.id, in: first),
          try transaction.session(session.id, in: second)
        )
      }
      #expect(kept == session)
      #expect(other == nil)
    }
  }

  /// The number of keys by which the account is found.
  private func found(
    _ account: Account, in project: ProjectID, _ transaction: Transaction
  ) throws -> Int {
    let accounts = try [
      transaction.account(account.uid, in: project),
      account.email.flatMap { try transaction.account(email: $0, in: project) },
      account.phoneNumber.flatMap { try transaction.account(phoneNumber: $0, in: project) },
      transaction.account(
        provider: .google, subject: Sample.subject("subject of alice"), in: project),
      transaction.accounts(after: nil, limit: 1, in: project).first,
    ]
    return accounts.count { $0 != nil }
  }
}
