import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct CodeExchangeExecutorTests {
  @Test func `a code becomes a refresh token that is kept`() async throws {
    try await withOutbox { world in
      try world.appleAnswers()
      try await world.queueCode()
      #expect(try await world.worker().executeDue() == 1)
      let token = try #require(try await world.tokens().first)
      #expect(token.token.reveal() == "r3fresh")
      #expect(token.clientID == "com.example.app")
      #expect(token.subject.text == "ann")
      #expect(world.vendors.fields("code", at: OutboxWorld.appleToken) == ["c0de"])
      #expect(try await world.entries().isEmpty)
    }
  }

  @Test func `a code that Apple refuses is tried once with each client, and then given up`()
    async throws
  {
    try await withOutbox { world in
      world.vendors.on(OutboxWorld.appleToken, status: 400, ["error": "invalid_grant"])
      try await world.queueCode()
      _ = try await world.worker().executeDue()
      let entry = try #require(try await world.entries().first)
      #expect(entry.lastError == "the provider refused: 400 invalid_grant")
      #expect(entry.failedAt == world.now)
      world.advance(3600)
      #expect(try await world.worker().executeDue() == 0)
      #expect(
        world.vendors.fields("client_id", at: OutboxWorld.appleToken)
          == ["com.example.app", "com.example.web"])
    }
  }

  @Test func `while Apple is unreachable a code is retried for its five minutes`() async throws {
    try await withOutbox { world in
      try await world.queueCode()
      for _ in 0..<60 {
        _ = try await world.worker().executeDue()
        world.advance(10)
      }
      let entry = try #require(try await world.entries().first)
      let failedAt = try #require(entry.failedAt)
      #expect(failedAt.timeIntervalSince(OutboxWorld.start) <= 300)
      #expect(entry.attempts > 3)
    }
  }

  @Test func `while Apple's keys can't be fetched a code is kept, and not used up`() async throws {
    try await withOutbox { world in
      try world.appleAnswers()
      try await world.queueCode()
      let keys = world.vendors.disconnect(OutboxWorld.appleKeys)
      _ = try await world.worker().executeDue()
      #expect(world.vendors.requests(to: OutboxWorld.appleToken).isEmpty)
      #expect(try await world.entries().first?.failedAt == nil)

      world.vendors.on(OutboxWorld.appleKeys, try #require(keys))
      world.advance(60)
      _ = try await world.worker().executeDue()
      #expect(try await world.tokens().first?.token.reveal() == "r3fresh")
    }
  }

  @Test func `a code of another user gives no token`() async throws {
    try await withOutbox { world in
      try world.appleAnswers(subject: "mallory")
      try await world.queueCode()
      _ = try await world.worker().executeDue()
      #expect(try await world.tokens().isEmpty)
      #expect(
        try await world.entries().first?.lastError == "the authorization code is of another user")
    }
  }

  @Test func `the token of an account that was deleted meanwhile is revoked`() async throws {
    try await withOutbox { world in
      try world.appleAnswers()
      world.vendors.on(OutboxWorld.appleRevoke, [:])
      try await world.queueCode()
      let (project, ann) = (world.project, try #require(UID("ann")))
      try await world.store.write { try $0.deleteAccount(ann, in: project) }
      _ = try await world.worker().executeDue()
      _ = try await world.worker().executeDue()
      #expect(try await world.tokens().isEmpty)
      #expect(world.vendors.fields("token", at: OutboxWorld.appleRevoke) == ["r3fresh"])
      #expect(try await world.entries().isEmpty)
    }
  }

  @Test func `the token isn't revoked if the user signed in again since the code was issued`()
    async throws
  {
    try await withOutbox { world in
      try world.appleAnswers()
      try await world.queueCode()
      world.advance(60)
      let (project, now) = (world.project, world.now)
      let (ann, again) = (try #require(UID("ann")), try #require(UID("again")))
      let subject = try #require(Subject("ann"))
      try await world.store.write { transaction in
        try transaction.deleteAccount(ann, in: project)
        var account = Account(uid: again, createdAt: now)
        account.identities = [LinkedIdentity(provider: .apple, subject: subject, linkedAt: now)]
        try transaction.save(account, in: project)
      }
      world.advance(60)
      _ = try await world.worker().executeDue()
      _ = try await world.worker().executeDue()
      #expect(world.vendors.requests(to: OutboxWorld.appleRevoke).isEmpty)
      #expect(try await world.tokens().isEmpty)
      #expect(try await world.entries().isEmpty)
    }
  }

  @Test func `a revocation that follows a code waits for its exchange`() async throws {
    try await withOutbox { world in
      try await world.queueCode()
      try await world.queueRevocation()
      // Apple is unreachable: the exchange fails, and the revocation isn't attempted before it.
      #expect(try await world.worker().executeDue() == 1)
      #expect(world.vendors.requests(to: OutboxWorld.appleRevoke).isEmpty)
    }
  }
}
