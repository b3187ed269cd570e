import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct ConsentRecordsTests {
  @Test(arguments: StoreFactory.all)
  func `consents are read in the order of their recording, and only for their account`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      let (one, two) = (consent("v1", at: 1.125), consent("v2", at: 0))
      let found = try await store.write { transaction in
        try transaction.save(Sample.account("alice"), in: project)
        try transaction.save(Sample.account("bob"), in: project)
        try transaction.save(Sample.account("alice"), in: Sample.second)
        try transaction.record(one, of: Sample.uid("alice"), in: project)
        try transaction.record(two, of: Sample.uid("alice"), in: project)
        // Saving the account again doesn't change them.
        try transaction.save(Sample.fullAccount("alice"), in: project)
        return [
          try transaction.consents(of: Sample.uid("alice"), in: project),
          try transaction.consents(of: Sample.uid("bob"), in: project),
          try transaction.consents(of: Sample.uid("alice"), in: Sample.second),
        ]
      }
      #expect(found == [[one, two], [], []])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `an account keeps its newest hundred consents`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      let kept = try await store.write { transaction in
        let uid = try Sample.uid("alice")
        try transaction.save(Sample.account("alice"), in: project)
        for number in 0..<103 {
          try transaction.record(consent("v\(number)", at: 0), of: uid, in: project)
        }
        return try transaction.consents(of: uid, in: project)
      }
      #expect(kept.map(\.version) == (3..<103).map { "v\($0)" })
    }
  }

  @Test(arguments: StoreFactory.all)
  func `consents are deleted on request, and with the account`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      let found = try await store.write { transaction in
        for name in ["alice", "bob"] {
          try transaction.save(Sample.account(name), in: project)
          try transaction.record(consent("v1", at: 0), of: Sample.uid(name), in: project)
        }
        try transaction.deleteConsents(of: Sample.uid("alice"), in: project)
        try transaction.deleteAccount(Sample.uid("bob"), in: project)
        try transaction.save(Sample.account("bob"), in: project)
        return [
          try transaction.consents(of: Sample.uid("alice"), in: project),
          try transaction.consents(of: Sample.uid("bob"), in: project),
        ]
      }
      #expect(found == [[], []])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `a consent without an account is an error`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      await #expect(throws: StoreError.damaged("a consent's account doesn't exist")) {
        try await store.write {
          try $0.record(consent("v1", at: 0), of: Sample.uid("nobody"), in: Sample.first)
        }
      }
    }
  }

  private func consent(_ version: String, at seconds: TimeInterval) -> Consent {
    Consent(
      version: version, joins: [.identity(.apple), .email, .phone],
      givenAt: Sample.now.addingTimeInterval(seconds))
  }
}
