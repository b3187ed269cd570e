import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens
import Testing

@Suite struct ServiceAccountRecordsTests {
  @Test(arguments: StoreFactory.all)
  func `an account is read as last saved, with its keys`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      let first = try account("a@example.com", keys: ["k1", "k2"])
      var changed = first
      changed.roles = [.admin]
      changed.keys = [try key("k3", expiresAt: Sample.now.addingTimeInterval(9)), first.keys[1]]
      let saved = changed
      let (before, after, unknown) = try await store.write { transaction in
        try transaction.save(first)
        let before = try transaction.serviceAccount(first.email)
        try transaction.save(saved)
        return (
          before, try transaction.serviceAccount(first.email),
          try transaction.serviceAccount(email("b@example.com"))
        )
      }
      #expect(before == first)
      #expect(after?.roles == [.admin])
      #expect(after?.keys.map(\.id) == ["k2", "k3"])
      #expect(after?.keys.map(\.expiresAt) == [nil, Sample.now.addingTimeInterval(9)])
      #expect(unknown == nil)
    }
  }

  @Test(arguments: StoreFactory.all)
  func `a project lists its own accounts in the order of their emails`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let (mine, other) = try await store.write { transaction in
        try transaction.save(account("b@example.com", keys: ["k"]))
        try transaction.save(account("a@example.com", keys: []))
        try transaction.save(account("c@example.com", in: "second-project", keys: ["k"]))
        return (
          try transaction.serviceAccounts(of: Sample.first),
          try transaction.serviceAccounts(of: Sample.second)
        )
      }
      #expect(mine.map(\.email.text) == ["a@example.com", "b@example.com"])
      #expect(mine.map(\.keys.count) == [0, 1])
      #expect(other.map(\.email.text) == ["c@example.com"])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `an email of another project is rejected`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      let owner = try account("a@example.com", keys: ["k1"])
      let thief = try account("a@example.com", in: "second-project", keys: ["k2"])
      try await store.write { try $0.save(owner) }
      await #expect(throws: StoreError.conflict(.serviceAccount)) {
        try await store.write { try $0.save(thief) }
      }
      #expect(try await store.read { try $0.serviceAccount(owner.email) } == owner)
    }
  }

  @Test(arguments: StoreFactory.all)
  func `an account is deleted once, and with its project`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      let (one, two) = (
        try account("a@example.com", keys: ["k"]), try account("b@example.com", keys: ["k"])
      )
      let (answers, left) = try await store.write { transaction in
        try transaction.save(one)
        try transaction.save(two)
        let answers = [
          try transaction.deleteServiceAccount(one.email),
          try transaction.deleteServiceAccount(one.email),
        ]
        try transaction.deleteProject(Sample.first)
        return (answers, try transaction.serviceAccount(two.email))
      }
      #expect(answers == [true, false])
      #expect(left == nil)
    }
  }

  @Test(arguments: StoreFactory.all)
  func `a change to an account moves the change counter`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      let made = try account("a@example.com", keys: ["k"])
      let before = try await store.changeCounter()
      try await store.write { try $0.save(made) }
      let saved = try await store.changeCounter()
      _ = try await store.write { try $0.deleteServiceAccount(made.email) }
      #expect(before < saved)
      #expect(try await store.changeCounter() > saved)
    }
  }

  @Test(arguments: StoreFactory.all)
  func `an access token is deleted with its key`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let made = try account("a@example.com", keys: ["k1", "k2"])
      let tokens = [token(1, of: made, "k1"), token(2, of: made, "k2")]
      var smaller = made
      smaller.keys.removeAll { $0.id == "k1" }
      let changed = smaller
      let (before, after, end) = try await store.write { transaction in
        try transaction.save(made)
        for token in tokens { try transaction.insert(token) }
        func found() throws -> [AccessTokenRecord?] {
          try tokens.map { try transaction.accessToken(digest: $0.digest) }
        }
        let before = try found()
        try transaction.save(changed)
        let after = try found()
        _ = try transaction.deleteServiceAccount(made.email)
        return (before, after, try found())
      }
      #expect(before == tokens)
      #expect(after == [nil, tokens[1]])
      #expect(end == [nil, nil])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `an access token needs an account and its key`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      let made = try account("a@example.com", keys: ["k1"])
      let stranger = try account("b@example.com", keys: ["k1"])
      try await store.write { try $0.save(made) }
      await #expect(throws: StoreError.conflict(.other)) {
        try await store.write { try $0.insert(token(1, of: made, "k2")) }
      }
      await #expect(throws: StoreError.conflict(.serviceAccount)) {
        try await store.write { try $0.insert(token(1, of: stranger, "k1")) }
      }
    }
  }

  @Test(arguments: StoreFactory.all)
  func `an account's access tokens are trimmed, and swept when they expire`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let (made, other) = (
        try account("a@example.com", keys: ["k1", "k2"]),
        try account("b@example.com", keys: ["k1"])
      )
      let (left, swept) = try await store.write { transaction in
        try transaction.save(made)
        try transaction.save(other)
        for number in 1...4 {
          try transaction.insert(
            token(UInt8(number), of: made, number.isMultiple(of: 2) ? "k1" : "k2", number))
        }
        try transaction.insert(token(9, of: other, "k1"))
        try transaction.trimAccessTokens(of: made.email, keeping: 3)
        try transaction.trimAccessTokens(of: made.email, keeping: 2)
        let left = try [1, 2, 3, 4, 9].filter {
          try transaction.accessToken(digest: [UInt8($0)]) != nil
        }
        let later = Sample.now.addingTimeInterval(3.5)
        let swept = try [1, 9, 9].map { try transaction.sweepAccessTokens(now: later, limit: $0) }
        return (left, swept)
      }
      #expect(left == [3, 4, 9])
      #expect(swept == [1, 1, 0])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `a session stores its developer claims`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      var session = try Sample.session(1, of: "alice")
      session.developerClaims = try CustomClaims(jsonText: #"{"role":"dev","n":[1.5]}"#)
      let begun = session
      let (inserted, updated) = try await store.write { transaction in
        try transaction.insert(begun, in: Sample.first)
        let inserted = try transaction.session(begun.id, in: Sample.first)
        var changed = begun
        changed.rotate(from: 0, now: Sample.now)
        changed.developerClaims = nil
        try transaction.update(changed, in: Sample.first)
        return (inserted, try transaction.session(begun.id, in: Sample.first))
      }
      #expect(inserted == begun)
      #expect(updated?.rotation == 1)
      #expect(updated?.developerClaims == nil)
    }
  }
}

private func email(_ text: String) throws -> EmailAddress { try #require(EmailAddress(text)) }

private func account(
  _ text: String, in project: String = "first-project", keys: [String]
) throws -> ServiceAccount {
  ServiceAccount(
    email: try email(text), project: try #require(ProjectID(project)), roles: [.customTokens],
    keys: try keys.map { try key($0) }, createdAt: Sample.now)
}

private func token(
  _ digest: UInt8, of account: ServiceAccount, _ keyID: String, _ seconds: Int = 0
) -> AccessTokenRecord {
  AccessTokenRecord(
    digest: [digest], account: account.email, keyID: keyID,
    expiresAt: Sample.now.addingTimeInterval(TimeInterval(seconds)))
}

private func key(_ id: String, expiresAt: Date? = nil) throws -> ServiceAccount.Key {
  ServiceAccount.Key(
    id: id, spkiDER: Array(id.utf8), createdAt: Sample.now, expiresAt: expiresAt)
}
