import Foundation
import GatehouseServer
import GatehouseProtocol
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
      (503, [:], "the provider refused: 503", false),
      (429, [:], "the provider refused: 429", false),
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

  @Test func `a client that repeats its request learns that the outbox has revoked the token`()
    async throws
  {
    try await withOutbox { world in
      world.vendors.on(OutboxWorld.appleRevoke, [:])
      let request = try await world.queueRequestedRevocation()
      #expect(try await !world.isCompleted(request))
      _ = try await world.worker().executeDue()
      #expect(try await world.isCompleted(request))
      #expect(try await world.entries().isEmpty)
      #expect(try await world.tokens().isEmpty)
      // Apple's report of it ends no session.
      #expect(try await world.ann()?.identities.first?.revocationRequestedAt == world.now)
    }
  }

  /// After a new address, a session replaces another one, and the user has given no new consent.
  @Test(arguments: [true, false])
  func `a requested revocation is dropped once the user has signed in with Apple again`(
    _ isSignIn: Bool
  ) async throws {
    try await withOutbox { world in
      world.vendors.on(OutboxWorld.appleRevoke, [:])
      let request = try await world.queueRequestedRevocation()
      let before = world.now
      world.advance(60)
      let session = Session(
        id: SessionID(high: 0, low: 1), uid: request.uid, provider: .apple, createdAt: world.now,
        authenticatedAt: isSignIn ? world.now : before)
      let project = world.project
      try await world.store.write { try $0.insert(session, in: project) }
      _ = try await world.worker().executeDue()
      #expect(world.vendors.requests(to: OutboxWorld.appleRevoke).isEmpty == isSignIn)
      #expect(try await world.entries().isEmpty)
      #expect(try await world.tokens().isEmpty != isSignIn)
    }
  }

  @Test func `a revocation of an identity that the account no longer has leaves the new one`()
    async throws
  {
    try await withOutbox { world in
      world.vendors.on(OutboxWorld.appleRevoke, [:])
      let request = try await world.queueRequestedRevocation(of: "another")
      _ = try await world.worker().executeDue()
      #expect(world.vendors.fields("token", at: OutboxWorld.appleRevoke) == ["r3fresh"])
      #expect(try await world.isCompleted(request))
      #expect(try await world.tokens().count == 1)
      let identity = try #require(try await world.ann()?.identities.first)
      #expect(identity.revocationRequestedAt == nil)
    }
  }

  @Test func `GitHub's token that no longer exists counts as revoked`() {
    #expect(FederationError.accessToken(.notGood).saysThatTokenIsInvalid)
    #expect(!FederationError.accessToken(.otherApp).saysThatTokenIsInvalid)
  }
}

extension OutboxWorld {
  /// Ann's request, whose own attempt failed. Her account keeps another token.
  fileprivate func queueRequestedRevocation(
    of subject: String = "ann"
  ) async throws -> RevocationRequest {
    let request = RevocationRequest(of: "c0de", nil, at: .apple, by: try #require(UID("ann")))
    try await queue(
      """
      {"kind":"revoke","provider":"apple.com","subject":"\(subject)","token":"r3fresh","uid":"ann",
       "tokenKind":"refresh_token","clientID":"com.example.app",
       "requestDigest":"\(Data(request.digest).base64EncodedString())"}
      """)
    let token = ProviderToken(
      uid: request.uid, provider: .apple, clientID: "com.example.app",
      subject: try #require(Subject("ann")), token: Secret("kept"), codeDigest: nil,
      obtainedAt: now)
    let project = project
    try await store.write { try $0.save(token, in: project) }
    return request
  }

  fileprivate func isCompleted(_ request: RevocationRequest) async throws -> Bool {
    let record = SingleUseToken(digest: request.digest, expiresAt: now)
    let project = project
    return try await store.read { try $0.isSpent(record, in: project) }
  }

  fileprivate func ann() async throws -> Account? {
    let project = project
    return try await store.read { transaction in
      try UID("ann").flatMap { try transaction.account($0, in: project) }
    }
  }
}
