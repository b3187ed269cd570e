import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct AccountRecordsTests {
  @Test(arguments: StoreFactory.all)
  func `an account is read with every value, by each of its keys`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      let account = try Sample.fullAccount("alice")
      try await store.write { try $0.save(account, in: project) }
      let found = try await store.read { transaction in
        try [
          transaction.account(account.uid, in: project),
          account.email.flatMap { try transaction.account(email: $0, in: project) },
          transaction.account(phoneNumber: "+15550100", in: project),
          transaction.account(
            provider: .google, subject: Sample.subject("subject of alice"), in: project),
          transaction.account(
            provider: .apple, subject: Sample.subject("subject of alice"), in: project),
        ]
      }
      for one in found { #expect(contents(one) == contents(Optional(account))) }
    }
  }

  @Test(arguments: StoreFactory.all)
  func `an account is found by an address that only an identity has`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let (project, second) = (try Sample.first, try Sample.second)
      let work = try #require(EmailAddress("work@example.com"))
      let own = try #require(EmailAddress("own@example.com"))
      var account = try Sample.account("alice")
      account.email = own
      var identity = try Sample.identity("g", .google)
      identity.email = work
      account.identities = [identity]
      let saved = account
      try await store.write { try $0.save(saved, in: project) }
      let found = try await store.read { transaction in
        try [
          transaction.account(identityEmail: work, in: project),
          transaction.account(identityEmail: own, in: project),
          transaction.account(identityEmail: work, in: second),
        ].map { $0?.uid }
      }
      #expect(found == [saved.uid, nil, nil])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `a status that the app sent is not read as a signed one`(_ factory: StoreFactory)
    async throws
  {
    try await withStore(factory) { store in
      let project = try Sample.first
      var account = try Sample.account("alice")
      account.identities = try [
        (.apple, nil, .likelyReal), (.google, .likelyReal, nil), (.facebook, nil, .unsupported),
      ].map { (provider: ProviderID, signed: RealUserStatus?, sent: RealUserStatus?) in
        var identity = try Sample.identity("subject", provider)
        identity.realUserStatus = signed
        identity.realUserStatusFromApp = sent
        return identity
      }
      let saved = account
      try await store.write { try $0.save(saved, in: project) }
      let found = try await store.read { try $0.account(saved.uid, in: project) }
      #expect(found?.identities == saved.identities)
    }
  }

  @Test(arguments: StoreFactory.all)
  func `emails are unique by their bytes`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      // Latin, with a diacritic, and as an xn-- domain.
      let texts = ["muñoz@example.com", "munoz@example.com", "muñoz@bücher.example"]
      for text in texts {
        var account = try Sample.account(text)
        account.email = try #require(EmailAddress(text))
        let saved = account
        try await store.write { try $0.save(saved, in: project) }
      }
      var other = try Sample.account("other")
      // Capitals, a letter in two scalars, and the ASCII form of the domain.
      other.email = try #require(EmailAddress("MUN\u{303}OZ@XN--bcher-kva.example"))
      let taken = other
      await #expect(throws: StoreError.conflict(.email)) {
        try await store.write { try $0.save(taken, in: project) }
      }
      let found = try await store.read { transaction in
        try texts.map {
          try transaction.account(email: #require(EmailAddress($0)), in: project)?.uid.text
        }
      }
      #expect(found == texts)
    }
  }

  @Test(arguments: StoreFactory.all)
  func `an account without values is read without them`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      let account = try Sample.account("bob")
      try await store.write { try $0.save(account, in: project) }
      let found = try await store.read { try $0.account(account.uid, in: project) }
      #expect(contents(found) == contents(Optional(account)))
    }
  }

  @Test(arguments: StoreFactory.all)
  func `saving replaces the account and its identities`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      let before = try Sample.fullAccount("alice")
      var after = try Sample.account("alice")
      after.identities = [try Sample.identity("new", .facebook), try Sample.identity("other")]
      let saved = after
      try await store.write { transaction in
        try transaction.save(before, in: project)
        try transaction.save(saved, in: project)
      }
      let (found, old) = try await store.read { transaction in
        (
          try transaction.account(saved.uid, in: project),
          try transaction.account(
            provider: .apple, subject: Sample.subject("subject of alice"), in: project)
        )
      }
      #expect(contents(found) == contents(Optional(saved)))
      #expect(old == nil)
    }
  }

  @Test(arguments: StoreFactory.all)
  func `ids and subjects are compared byte by byte`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      let composed = try Sample.account("caf\u{E9}", subject: "caf\u{E9}")
      let decomposed = try Sample.account("cafe\u{301}", subject: "cafe\u{301}")
      try await store.write { transaction in
        try transaction.save(composed, in: project)
        try transaction.save(decomposed, in: project)
      }
      let found = try await store.read { transaction in
        try ["cafe\u{301}", "CAFE\u{301}", "cafe"].map {
          try transaction.account(provider: .google, subject: Sample.subject($0), in: project)?.uid
        }
      }
      #expect(found == [decomposed.uid, nil, nil])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `a value of another account is a conflict that names the rule`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      let owner = try Sample.fullAccount("alice")
      try await store.write { try $0.save(owner, in: project) }
      var email = try Sample.account("bob")
      email.email = owner.email
      var phoneNumber = try Sample.account("bob")
      phoneNumber.phoneNumber = owner.phoneNumber
      let identity = try Sample.account("bob", subject: "subject of alice")
      let cases: [(Account, StoreError.Unique)] = [
        (email, .email), (phoneNumber, .phoneNumber), (identity, .identity),
      ]
      for (account, rule) in cases {
        await #expect(throws: StoreError.conflict(rule)) {
          try await store.write { try $0.save(account, in: project) }
        }
        let found = try await store.read { try $0.account(account.uid, in: project) }
        #expect(found == nil)
      }
    }
  }

  @Test(arguments: StoreFactory.all)
  func `an account of an unknown project is a conflict`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let project = try #require(ProjectID("no-project"))
      let account = try Sample.account("alice")
      await #expect(throws: StoreError.conflict(.project)) {
        try await store.write { try $0.save(account, in: project) }
      }
    }
  }

  @Test(arguments: StoreFactory.all)
  func `touching changes only the given times`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      var account = try Sample.fullAccount("alice")
      let (saved, login) = (account, Sample.now.addingTimeInterval(100.5))
      try await store.write { transaction in
        try transaction.save(saved, in: project)
        try transaction.touch(saved.uid, in: project, lastLoginAt: login, lastRefreshAt: nil)
        try transaction.touch(
          Sample.uid("nobody"), in: project, lastLoginAt: login, lastRefreshAt: login)
      }
      account.lastLoginAt = login
      let found = try await store.read { transaction in
        try transaction.accounts(after: nil, limit: 10, in: project)
      }
      #expect(contents(found) == contents([account]))
    }
  }

  @Test(arguments: StoreFactory.all)
  func `deleting an account deletes its identities but not its sessions`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      let account = try Sample.fullAccount("alice")
      let session = try Sample.session(1, of: "alice")
      try await store.write { transaction in
        try transaction.save(account, in: project)
        try transaction.insert(session, in: project)
        try transaction.deleteAccount(account.uid, in: project)
        // The identity is free again.
        try transaction.save(
          Sample.account("bob", subject: "subject of alice"), in: project)
      }
      let (found, owner, tombstone) = try await store.read { transaction in
        (
          try transaction.account(account.uid, in: project),
          try transaction.account(
            provider: .google, subject: Sample.subject("subject of alice"), in: project)?.uid,
          try transaction.session(session.id, in: project)
        )
      }
      #expect(found == nil)
      #expect(owner?.text == "bob")
      #expect(tombstone == session)
    }
  }

  @Test(arguments: StoreFactory.all)
  func `accounts are paged in the byte order of their ids`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      let project = try Sample.first
      try await store.write { transaction in
        for uid in ["b", "a", "Z", "é", "ab", "~"] {
          try transaction.save(Sample.account(uid, subject: uid), in: project)
        }
      }
      let pages = try await store.read { transaction in
        let first = try transaction.accounts(after: nil, limit: 4, in: project)
        let second = try transaction.accounts(after: first.last?.uid, limit: 4, in: project)
        return [first, second, try transaction.accounts(after: nil, limit: 0, in: project)]
      }
      #expect(pages.map { $0.map(\.uid.text) } == [["Z", "a", "ab", "b"], ["~", "é"], []])
      #expect(pages[1].first?.identities.first?.subject.text == "~")
    }
  }
}
