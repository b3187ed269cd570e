import Foundation
import GatehouseAccounts
import GatehouseFederation
import GatehouseJSON
import GatehouseModel
import Testing

@Suite struct RevocationExecutorTests {
  @Test func `Apple's token is revoked as the client that it was issued to`() async throws {
    try await withOutbox { world in
      world.vendors.on(OutboxWorld.appleRevoke, [:])
      try await world.queueRevocation()
      _ = try await world.worker().executeDue()
      #expect(world.vendors.fields("token", at: OutboxWorld.appleRevoke) == ["r3fresh"])
      #expect(world.vendors.fields("client_id", at: OutboxWorld.appleRevoke) == ["com.example.app"])
      #expect(
        world.vendors.fields("token_type_hint", at: OutboxWorld.appleRevoke) == ["refresh_token"])
      #expect(try await world.entries().isEmpty)
    }
  }

  @Test func `Facebook's grant is revoked with the app's own token`() async throws {
    try await withOutbox { world in
      let url = "https://graph.facebook.com/1001/permissions"
      world.vendors.on(url, ["success": true])
      try await world.queue(#"{"kind":"revoke","provider":"facebook.com","subject":"1001"}"#)
      _ = try await world.worker().executeDue()
      let request = try #require(world.vendors.requests(to: url).first)
      #expect(request.isDeletion)
      #expect(request.authorization?.reveal() == "Bearer 1234|facebook-secret")
      #expect(try await world.entries().isEmpty)
    }
  }

  @Test func `a subject that isn't an id at Facebook is put into no path`() async throws {
    try await withOutbox { world in
      try await world.queue(
        #"{"kind":"revoke","provider":"facebook.com","subject":"me/permissions?x="}"#)
      _ = try await world.worker().executeDue()
      let entry = try await world.entries().first
      #expect(entry?.failedAt == world.now)
      #expect(
        entry?.lastError
          == "the stored id of the user is not an id of facebook.com, so no grant can be revoked "
          + "there")
    }
  }

  @Test(
    arguments: [
      (400, ["error": "invalid_token"], nil, false),
      (400, ["error": "invalid_grant"], nil, false),
      (400, ["error": "invalid_client"], "the provider refused: 400 invalid_client", false),
      (503, [:], "the provider refused: 503 ", false),
      (429, [:], "the provider refused: 429 ", false),
      (400, ["error": "invalid_request"], "the provider refused: 400 invalid_request", true),
    ] as [(Int, JSONObject, String?, Bool)])
  func `a refusal is final, temporary, or what a revocation wants`(
    _ status: Int, _ json: JSONObject, _ error: String?, _ isFinal: Bool
  ) async throws {
    try await withOutbox { world in
      world.vendors.on(OutboxWorld.appleRevoke, status: status, json)
      try await world.queueRevocation()
      _ = try await world.worker().executeDue()
      let entry = try await world.entries().first
      #expect(entry?.lastError == error)
      #expect((entry?.failedAt != nil) == isFinal)
    }
  }

  @Test func `a provider that was removed ends the attempts`() async throws {
    try await withOutbox { world in
      let project = world.project
      _ = try await world.store.write { try $0.deleteProvider(.apple, in: project) }
      try await world.queueRevocation()
      _ = try await world.worker().executeDue()
      #expect(
        try await world.entries().first?.lastError == "the provider isn't configured any more")
    }
  }

  @Test func `a grant that the user gave again since isn't revoked any more`() async throws {
    try await withOutbox { world in
      try await world.queueRevocation()
      world.advance(60)
      let (project, now) = (world.project, world.now)
      try await world.store.write { transaction in
        guard let uid = UID("ann"), var ann = try transaction.account(uid, in: project),
          let subject = Subject("ann")
        else { return }
        ann.identities = [LinkedIdentity(provider: .apple, subject: subject, linkedAt: now)]
        try transaction.save(ann, in: project)
      }
      _ = try await world.worker().executeDue()
      #expect(world.vendors.requests(to: OutboxWorld.appleRevoke).isEmpty)
      #expect(try await world.entries().isEmpty)
    }
  }
}
