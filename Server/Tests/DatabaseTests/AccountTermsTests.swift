import Foundation
import GatehouseProtocol
import Testing

@testable import GatehouseServer

/// The rows by which searches find accounts.
@Suite struct AccountTermsTests {
  private func terms(of uid: String, in store: any Store) async throws -> [String] {
    let project = try Sample.first
    return try await store.read { transaction in
      guard let key = try transaction.key(of: project) else { return [] }
      return try transaction.connection.all(
        SearchTermSQL.ofUID, .integer(key), .text(uid)
      ) { try $0.text(0) }.sorted()
    }
  }

  /// A read-only statement of every row.
  private func count(in store: any Store) async throws -> Int {
    try await store.read { transaction in
      try transaction.connection.all(CountSQL.all) { Int($0.integer(0)) }.first ?? 0
    }
  }

  private enum CountSQL: String, SQLStatement {
    case all = "SELECT count(*) FROM account_terms"
  }

  @Test(arguments: StoreFactory.all)
  func `an account's terms follow each change, also of an identity`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      var account = try Sample.account("a", subject: "1")
      account.displayName = "Anna Schmidt"
      let first = account
      try await store.write { try $0.save(first, isNew: true, in: project) }
      #expect(try await terms(of: "a", in: store) == ["anna", "schmidt"])
      account.displayName = "Anna Maier"
      account.identities[0].email = EmailAddress("other@example.com")
      let second = account
      try await store.write { try $0.save(second, replacing: first, in: project) }
      #expect(
        try await terms(of: "a", in: store) == [
          "@example.com", "anna", "maier", "other@example.com",
        ])
      account.displayName = nil
      let third = account
      try await store.write { try $0.save(third, in: project) }
      #expect(try await terms(of: "a", in: store) == ["@example.com", "other@example.com"])
      account.identities = []
      let fourth = account
      try await store.write { try $0.save(fourth, replacing: third, in: project) }
      #expect(try await terms(of: "a", in: store) == [])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `no terms stay behind a deleted account, a deleted project or a rollback`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      try await store.write { transaction in
        for (uid, number) in [("a", "+15550100"), ("b", "+15550101")] {
          var account = try Sample.fullAccount(uid)
          account.phoneNumber = number
          try transaction.save(account, in: project)
        }
        try transaction.save(Sample.fullAccount("c"), in: Sample.second)
      }
      let all = try await count(in: store)
      #expect(all > 0 && all.isMultiple(of: 3))
      await #expect(throws: StoreError.closed) {
        try await store.write { transaction in
          var account = try Sample.account("d")
          account.displayName = "Anna"
          try transaction.save(account, in: project)
          throw StoreError.closed
        }
      }
      #expect(try await count(in: store) == all)
      try await store.write { try $0.deleteAccount(Sample.uid("a"), in: project) }
      #expect(try await count(in: store) == all / 3 * 2)
      try await store.write { try $0.deleteProject(project) }
      #expect(try await count(in: store) == all / 3)
    }
  }
}
