import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens
import Testing

@Suite struct AccessTokensTests {
  private static let endpoint = "https://auth.example.com/token"

  private func with(
    roles: Set<ServiceAccount.Role> = [.admin], keyExpiresAt: Date? = nil,
    _ body: (World) async throws -> Void
  ) async throws {
    try await withWorld { world in
      _ = try await ServiceAccounts(store: world.store).create(
        robot, in: world.project.id, roles: roles, key: try publicKey(expiresAt: keyExpiresAt),
        now: world.now)
      try await body(world)
    }
  }

  @Test func `an assertion is exchanged for a project's token, valid for an hour`() async throws {
    try await with { world in
      let other = try await world.otherProject()
      let issued = try await world.exchange(try assertion(at: world.now))
      #expect(issued.text.reveal().wholeMatch(of: /ght_[A-Za-z0-9_-]{43}/) != nil)
      #expect(issued.expiresInSeconds == 3600)
      #expect(try await world.role(of: issued) == .administrator)
      #expect(try await world.role(of: issued, in: other) == nil)
      world.advance(3599.999)
      #expect(try await world.role(of: issued) == .administrator)
      world.advance(0.001)
      #expect(try await world.role(of: issued) == nil)
    }
  }

  @Test(arguments: [endpoint, "https://oauth2.googleapis.com/token"])
  func `the audience is our endpoint, or google-auth's name for it`(audience: String) async throws {
    try await with { world in
      let text = try assertion(at: world.now) { $0["aud"] = .string(audience) }
      #expect(try await world.role(of: try await world.exchange(text)) == .administrator)
    }
  }

  @Test func `a custom token is rejected as an assertion`() async throws {
    try await with { world in
      await #expect(throws: AssertionRefusal.token(.audience)) {
        try await world.exchange(try customToken("alice", at: world.now))
      }
    }
  }

  @Test func `a service account for custom tokens is no administrator`() async throws {
    try await with(roles: [.customTokens]) { world in
      await #expect(throws: AssertionRefusal.notAdministrator) {
        try await world.exchange(try assertion(at: world.now))
      }
    }
  }

  @Test func `sub may be absent, and otherwise must be the account`() async throws {
    try await with { world in
      _ = try await world.exchange(try assertion(at: world.now) { $0["sub"] = nil })
      await #expect(throws: AssertionRefusal.token(.subject)) {
        try await world.exchange(
          try assertion(at: world.now) { $0["sub"] = "somebody@example.com" })
      }
    }
  }

  @Test func `an assertion with another key or of an unknown account is rejected`() async throws {
    try await with { world in
      await #expect(throws: AssertionRefusal.token(.signature)) {
        try await world.exchange(
          try assertion(at: world.now, key: try SharedKey.strangersKey()))
      }
      await #expect(throws: AssertionRefusal.unknownIssuer) {
        try await world.exchange(
          try assertion(at: world.now) {
            $0["iss"] = "other@example.com"
            $0["sub"] = nil
          })
      }
    }
  }

  @Test func `an assertion with a jti is valid once, one without repeatedly`() async throws {
    try await with { world in
      let once = try assertion(at: world.now) { $0["jti"] = "1" }
      _ = try await world.exchange(once)
      await #expect(throws: AssertionRefusal.used) { try await world.exchange(once) }
      let often = try assertion(at: world.now)
      _ = try await world.exchange(often)
      _ = try await world.exchange(often)
    }
  }

  @Test func `an assertion stays used where the clock is behind that of the server that sweeps`()
    async throws
  {
    try await with { world in
      let once = try assertion(at: world.now) { $0["jti"] = "1" }
      _ = try await world.exchange(once)
      // The last second in which an assertion is accepted, which has expired 59 seconds ago.
      world.advance(3659)
      let ahead = world.now.addingTimeInterval(60)
      _ = try await world.store.write { try $0.sweepOneTimeRecords(now: ahead, limit: 10) }
      await #expect(throws: AssertionRefusal.used) { try await world.exchange(once) }
      let often = try assertion(at: World.start)
      _ = try await world.exchange(often)
    }
  }

  @Test func `a token ends with the account`() async throws {
    try await with { world in
      let issued = try await world.exchange(try assertion(at: world.now))
      try await ServiceAccounts(store: world.store).delete(robot, in: world.project.id)
      #expect(try await world.role(of: issued) == nil)
    }
  }

  @Test func `a token ends with its key, even if the key is added again`() async throws {
    try await with { world in
      let accounts = ServiceAccounts(store: world.store)
      let issued = try await world.exchange(try assertion(at: world.now))
      _ = try await accounts.add(
        try strangersPublicKey(), to: robot, in: world.project.id, now: world.now)
      #expect(try await world.role(of: issued) == .administrator)
      #expect(
        try await accounts.deleteKey(try SharedKey.key().keyID, of: robot, in: world.project.id))
      #expect(try await world.role(of: issued) == nil)
      _ = try await accounts.add(try publicKey(), to: robot, in: world.project.id, now: world.now)
      #expect(try await world.role(of: issued) == nil)
    }
  }

  @Test func `a token ends with the role`() async throws {
    try await with { world in
      let issued = try await world.exchange(try assertion(at: world.now))
      _ = try await ServiceAccounts(store: world.store).update(robot, in: world.project.id) {
        $0.roles = [.customTokens]
      }
      #expect(try await world.role(of: issued) == nil)
    }
  }

  @Test func `a token expires with the certificate of its key`() async throws {
    try await with(keyExpiresAt: World.start.addingTimeInterval(600)) { world in
      let issued = try await world.exchange(try assertion(at: world.now))
      #expect(issued.expiresInSeconds == 600)
      world.advance(600)
      #expect(try await world.role(of: issued) == nil)
    }
  }

  @Test func `an administrator's key is no access token, and the reverse`() async throws {
    try await with { world in
      let issued = try await world.exchange(try assertion(at: world.now))
      let keys = AdminKeys(store: world.store)
      let key = try await keys.create(for: nil, expiresAt: nil, now: world.now).key
      let project = world.project.id
      #expect(try await keys.role(of: issued.text, in: project, now: world.now) == nil)
      #expect(
        try await AccessTokens(store: world.store).role(of: key, in: project, now: world.now)
          == nil)
      for changed in [
        issued.text.reveal().tampered, "ght_", String(issued.text.reveal().dropLast()),
      ] {
        #expect(
          try await AccessTokens(store: world.store).role(
            of: Secret(changed), in: project, now: world.now) == nil)
      }
    }
  }

  @Test func `expired tokens are swept`() async throws {
    try await with { world in
      for _ in 0..<3 { _ = try await world.exchange(try assertion(at: world.now)) }
      world.advance(3601)
      let now = world.now
      let swept = try await world.store.write { transaction in
        try [2, 2, 2].map { try transaction.sweepAccessTokens(now: now, limit: $0) }
      }
      #expect(swept == [2, 1, 0])
    }
  }

  /// An assertion as google-auth writes it.
  private func assertion(
    at now: Date, key: RSASigningKey? = nil, _ change: (inout JSONObject) -> Void = { _ in }
  ) throws -> String {
    try customToken("", at: now, key: key) {
      $0["uid"] = nil
      $0["aud"] = .string(Self.endpoint)
      $0["scope"] = "https://www.googleapis.com/auth/cloud-platform"
      change(&$0)
    }
  }
}

extension World {
  fileprivate func exchange(_ assertion: String) async throws -> AccessTokens.Issued {
    try await AccessTokens(store: store).exchange(
      assertion, audiences: ["https://auth.example.com/token"], now: now)
  }

  fileprivate func role(
    of issued: AccessTokens.Issued, in project: Project? = nil
  ) async throws -> AdministratorRole? {
    try await AccessTokens(store: store).role(
      of: issued.text, in: (project ?? self.project).id, now: now)
  }
}
