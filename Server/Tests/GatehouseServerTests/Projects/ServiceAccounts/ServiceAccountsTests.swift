import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens
import Testing

@Suite struct ServiceAccountsTests {
  @Test func `the first uploaded key creates an account only for custom tokens`() async throws {
    try await withWorld { world in
      let accounts = ServiceAccounts(store: world.store)
      let key = try await accounts.upload(
        try publicKey(), to: robot, in: world.project.id, now: world.now)
      let listed = try await accounts.list(in: world.project.id)
      #expect(listed.map(\.email) == [try robot])
      #expect(listed.map(\.roles) == [[.customTokens]])
      #expect(listed.map(\.keys) == [[key]])
      #expect(key.id == (try SharedKey.key().keyID))
    }
  }

  @Test func `the same key added twice is one key`() async throws {
    try await withWorld { world in
      let accounts = ServiceAccounts(store: world.store)
      let first = try await accounts.upload(
        try publicKey(), to: robot, in: world.project.id, now: world.now)
      world.advance(10)
      let second = try await accounts.upload(
        try publicKey(), to: robot, in: world.project.id, now: world.now)
      #expect(first == second)
      #expect(try await accounts.list(in: world.project.id).map(\.keys.count) == [1])
    }
  }

  /// Otherwise an administrator could make an expired key valid again, and it would stay valid when all
  /// keys are deleted that the administrator added.
  @Test(
    arguments: [
      (nil, true), (World.start.addingTimeInterval(3600), true),
      (World.start.addingTimeInterval(60), false), (World.start.addingTimeInterval(30), false),
    ] as [(Date?, Bool)])
  func `an administrator who lets a key expire later has added it`(
    _ expiresAt: Date?, _ isAdded: Bool
  ) async throws {
    try await withWorld { world in
      let accounts = ServiceAccounts(store: world.store)
      let key = try publicKey(expiresAt: World.start.addingTimeInterval(60))
      _ = try await accounts.create(
        robot, in: world.project.id, roles: [.customTokens], key: key, now: world.now)
      let origin = EventOrigin(.administrator("gha_mallory"))
      for _ in 0..<2 {
        try await EventOrigin.$current.withValue(origin) {
          let uploaded = try await accounts.upload(
            try publicKey(expiresAt: expiresAt), to: robot, in: world.project.id, now: world.now)
          #expect(uploaded.expiresAt == expiresAt)
        }
      }
      try await EventLinker(store: world.store).run()
      let added = try await accounts.keys(addedBy: "gha_mallory").map(\.key)
      let id = try #require(try SharedKey.key().keyID)
      #expect(added == (isAdded ? [id] : []))
      #expect(try await accounts.keys(addedBy: "gha_other").isEmpty)
    }
  }

  @Test func `another project's email is rejected`() async throws {
    try await withWorld { world in
      let accounts = ServiceAccounts(store: world.store)
      let other = try await world.otherProject()
      _ = try await accounts.upload(
        try publicKey(), to: robot, in: world.project.id, now: world.now)
      await #expect(throws: ServiceAccountError.otherProject) {
        try await accounts.upload(
          try strangersPublicKey(), to: robot, in: other.id, now: world.now)
      }
      #expect(try await accounts.list(in: world.project.id).map(\.keys.count) == [1])
      #expect(try await accounts.list(in: other.id).isEmpty)
    }
  }

  @Test func `a key uploaded to an administrator's account is rejected`() async throws {
    try await withWorld { world in
      let accounts = ServiceAccounts(store: world.store)
      _ = try await accounts.create(
        robot, in: world.project.id, roles: [.customTokens, .admin], key: try publicKey(),
        now: world.now)
      await #expect(throws: ServiceAccountError.administrator) {
        try await accounts.upload(
          try strangersPublicKey(), to: robot, in: world.project.id, now: world.now)
      }
      #expect(try await accounts.list(in: world.project.id).map(\.keys.count) == [1])
    }
  }

  @Test func `an account has at most ten keys, and a project a hundred accounts`() async throws {
    try await withWorld { world in
      let accounts = ServiceAccounts(store: world.store)
      let project = world.project.id
      let full = ServiceAccount(
        email: try robot, project: project, roles: [.customTokens],
        keys: (0..<ServiceAccount.maximumKeys).map {
          .init(id: "key-\($0)", spkiDER: [], createdAt: world.now, expiresAt: nil)
        }, createdAt: world.now)
      try await world.store.write { transaction in
        try transaction.save(full)
        for number in 1..<ServiceAccount.maximumPerProject {
          try transaction.save(
            ServiceAccount(
              email: email("robot-\(number)@example.com"), project: project, roles: [],
              createdAt: full.createdAt))
        }
      }
      await #expect(throws: ServiceAccountError.tooManyKeys) {
        try await accounts.upload(try publicKey(), to: robot, in: project, now: world.now)
      }
      await #expect(throws: ServiceAccountError.tooManyAccounts) {
        try await accounts.upload(
          try publicKey(), to: email("one-more@example.com"), in: project, now: world.now)
      }
    }
  }

  @Test func `an account is created once and deleted once`() async throws {
    try await withWorld { world in
      let accounts = ServiceAccounts(store: world.store)
      func create() async throws -> ServiceAccount {
        try await accounts.create(
          robot, in: world.project.id, roles: [.admin], key: try publicKey(), now: world.now)
      }
      _ = try await create()
      await #expect(throws: ServiceAccountError.exists) { try await create() }
      try await accounts.delete(robot, in: world.project.id)
      await #expect(throws: ServiceAccountError.unknown) {
        try await accounts.delete(robot, in: world.project.id)
      }
      await #expect(throws: ServiceAccountError.unknown) {
        try await accounts.update(robot, in: world.project.id) { $0.roles = [] }
      }
    }
  }
}

/// The tests' service account.
var robot: EmailAddress { get throws { try email("robot@example.com") } }

func publicKey(expiresAt: Date? = nil) throws -> PublicKey {
  try PublicKey(spkiDER: SharedKey.key().spkiDER, expiresAt: expiresAt)
}

func strangersPublicKey() throws -> PublicKey {
  try PublicKey(spkiDER: SharedKey.strangersKey().spkiDER)
}
