import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct ProviderTokenRecordsTests {
  @Test(arguments: StoreFactory.all)
  func `an account has one token per provider and client, the newest`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let found = try await store.write { transaction in
        try transaction.save(Sample.account("alice", subject: "a"), in: Sample.first)
        for (client, text) in [("web", "one"), ("app", "two"), ("web", "three")] {
          try transaction.save(token("alice", client, text), in: Sample.first)
        }
        // Saving the account again doesn't change them.
        try transaction.save(Sample.account("alice", subject: "a"), in: Sample.first)
        return try transaction.providerTokens(of: Sample.uid("alice"), in: Sample.first)
      }
      #expect(found.map(\.clientID) == ["web", "app"])
      #expect(found.map { $0.token.reveal() } == ["three", "two"])
      #expect(found.first?.subject.text == "a")
      #expect(found.first?.codeDigest == [1, 2, 3])
      #expect(found.first?.obtainedAt == Sample.now)
    }
  }

  @Test(arguments: StoreFactory.all)
  func `tokens are deleted by provider, and with the account`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let counts = try await store.write { transaction in
        for name in ["alice", "bob"] {
          try transaction.save(Sample.account(name), in: Sample.first)
          try transaction.save(token(name, "web", "one"), in: Sample.first)
          try transaction.save(token(name, "web", "two", .google), in: Sample.first)
        }
        var counts = [try transaction.countProviderTokens(in: Sample.first)]
        try transaction.deleteProviderTokens(
          of: Sample.uid("alice"), provider: .apple, in: Sample.first)
        counts.append(try transaction.countProviderTokens(in: Sample.first))
        try transaction.deleteAccount(Sample.uid("bob"), in: Sample.first)
        counts.append(try transaction.countProviderTokens(in: Sample.first))
        return counts
      }
      #expect(counts == [4, 3, 1])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `the tokens that wait longest for a check are taken first, and once`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let found = try await store.write { transaction in
        for (index, name) in ["alice", "bob", "carol"].enumerated() {
          try transaction.save(Sample.account(name), in: Sample.first)
          var token = try token(name, "web", name)
          token.checkedAt = Sample.now.addingTimeInterval(Double(-index))
          try transaction.save(token, in: Sample.first)
        }
        return try [1, 9, 9].map { limit in
          try transaction.claimProviderTokens(
            of: .apple, checkedBefore: Sample.now, now: Sample.now, limit: limit
          ).map(\.token.uid.text)
        }
      }
      #expect(found == [["carol"], ["bob"], []])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `a token of an account that doesn't exist is refused`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      await #expect(
        throws: StoreError.damaged("a provider token's account doesn't exist")
      ) {
        try await store.write { try $0.save(token("alice", "web", "one"), in: Sample.first) }
      }
    }
  }
}

private func token(
  _ uid: String, _ client: String, _ text: String, _ provider: ProviderID = .apple
) throws -> ProviderToken {
  ProviderToken(
    uid: try Sample.uid(uid), provider: provider, clientID: client,
    subject: try Sample.subject("a"), token: Secret(text), codeDigest: [1, 2, 3],
    obtainedAt: Sample.now)
}
