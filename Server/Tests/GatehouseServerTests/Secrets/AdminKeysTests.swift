import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct AdminKeysTests {
  @Test func `a key is valid for its project and no other`() async throws {
    try await withWorld { world in
      let keys = AdminKeys(store: world.store)
      let other = try await world.otherProject()
      let made = try await keys.create(for: world.project.id, expiresAt: nil, now: world.now)
      #expect(
        try await keys.role(of: made.key, in: world.project.id, now: world.now) == .administrator)
      #expect(try await keys.role(of: made.key, in: other.id, now: world.now) == nil)
    }
  }

  @Test func `a key for all projects is valid for each`() async throws {
    try await withWorld { world in
      let keys = AdminKeys(store: world.store)
      let other = try await world.otherProject()
      let made = try await keys.create(for: nil, expiresAt: nil, now: world.now)
      for project in [world.project.id, other.id] {
        #expect(try await keys.role(of: made.key, in: project, now: world.now) == .administrator)
      }
    }
  }

  @Test func `a key is valid until it expires and not at that instant`() async throws {
    try await withWorld { world in
      let keys = AdminKeys(store: world.store)
      let made = try await keys.create(
        for: nil, expiresAt: world.now.addingTimeInterval(60), now: world.now)
      world.advance(59.999)
      #expect(
        try await keys.role(of: made.key, in: world.project.id, now: world.now) == .administrator)
      world.advance(0.001)
      #expect(try await keys.role(of: made.key, in: world.project.id, now: world.now) == nil)
    }
  }

  @Test func `a deleted key is invalid at once`() async throws {
    try await withWorld { world in
      let keys = AdminKeys(store: world.store)
      let made = try await keys.create(for: nil, expiresAt: nil, now: world.now)
      #expect(try await keys.delete(prefix: made.record.prefix))
      #expect(try await keys.role(of: made.key, in: world.project.id, now: world.now) == nil)
      #expect(try await !keys.delete(prefix: made.record.prefix))
    }
  }

  @Test func `a key of a deleted project is invalid`() async throws {
    try await withWorld { world in
      let keys = AdminKeys(store: world.store)
      let other = try await world.otherProject()
      let made = try await keys.create(for: other.id, expiresAt: nil, now: world.now)
      try await world.store.write { try $0.deleteProject(other.id) }
      for project in [world.project.id, other.id] {
        #expect(try await keys.role(of: made.key, in: project, now: world.now) == nil)
      }
    }
  }

  @Test func `an altered key is invalid`() async throws {
    try await withWorld { world in
      let keys = AdminKeys(store: world.store)
      let key = try await keys.create(for: nil, expiresAt: nil, now: world.now).key.reveal()
      let changed = [
        "", "gha_", String(key.dropLast()), key + "A", " " + key, key + " ", key.uppercased(),
        key.tampered, String(key.dropFirst(4)), "GHA_" + key.dropFirst(4),
        "gha_" + String(repeating: "a", count: 10_000),
      ]
      for text in changed {
        #expect(try await keys.role(of: Secret(text), in: world.project.id, now: world.now) == nil)
      }
    }
  }

  @Test func `the store contains neither the key nor enough to derive it`() async throws {
    try await withWorld { world in
      let keys = AdminKeys(store: world.store)
      let made = try await keys.create(for: nil, expiresAt: nil, now: world.now)
      let text = made.key.reveal()
      #expect(text.wholeMatch(of: /gha_[A-Za-z0-9_-]{43}/) != nil)
      #expect(made.record.prefix == text.prefix(12))
      let listed = try await keys.list()
      #expect(listed.map(\.prefix) == [made.record.prefix])
      var dumped = ""
      dump(listed, to: &dumped)
      #expect(!dumped.contains(text))
    }
  }

  @Test func `a key has the role that it was created with`() async throws {
    try await withWorld { world in
      let keys = AdminKeys(store: world.store)
      let made = try await keys.create(
        for: world.project.id, role: .viewer, expiresAt: nil, now: world.now)
      #expect(
        try await keys.role(of: made.key, in: world.project.id, now: world.now) == .viewer)
      let roles: [AdministratorRole] = [.viewer, .support, .administrator, .owner]
      for (rank, role) in roles.enumerated() {
        #expect(roles.map { role.includes($0) } == roles.indices.map { $0 <= rank })
      }
    }
  }

  @Test func `only the key with the whole prefix is deleted`() async throws {
    try await withWorld { world in
      let keys = AdminKeys(store: world.store)
      let one = try await keys.create(for: nil, expiresAt: nil, now: world.now)
      let two = try await keys.create(for: nil, expiresAt: nil, now: world.now)
      for prefix in ["", "gha_", String(one.record.prefix.dropLast()), "gha_%", "*"] {
        #expect(try await !keys.delete(prefix: prefix))
      }
      #expect(try await keys.delete(prefix: one.record.prefix))
      #expect(try await keys.list().map(\.prefix) == [two.record.prefix])
    }
  }
}
