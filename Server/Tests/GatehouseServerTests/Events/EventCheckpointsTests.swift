import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens
import Testing

/// The server signs no chain that was changed.
@Suite struct EventCheckpointsTests {
  private struct PlainForms: SigningKeyForms {
    func signer(with key: SigningKey) throws -> any TokenSigner {
      guard case .rsa(let key) = key else { throw TokenError(.algorithmUnsupported) }
      return RS256Signer(key: key)
    }

    func certificate(of key: SigningKey, publishedAt: Date) -> String { key.keyID }
  }

  private func with(
    _ body: (World, EventCheckpoints) async throws -> Void
  ) async throws {
    try await withWorld { world in
      let keys = try await SigningKeys.open(
        .eventLog, store: world.store, forms: PlainForms(), now: world.now)
      try await signIn("ann", world)
      try await body(world, EventCheckpoints(store: world.store, keys: keys))
    }
  }

  private func signIn(_ subject: String, _ world: World) async throws {
    _ = try await world.signIn(identity(.google, subject)).signedIn()
    _ = try await world.link()
  }

  /// The faults of the test's project.
  private func faults(
    _ checkpoints: EventCheckpoints, _ world: World
  ) async throws -> [EventChainReport.Fault] {
    try await checkpoints.run(now: world.now).faults
      .filter { $0.project == world.project.id }.map(\.fault)
  }

  @Test func `a chain gets a checkpoint after an hour, and none without new events`() async throws {
    try await with { world, checkpoints in
      #expect(try await faults(checkpoints, world).isEmpty)
      let id = world.project.id
      let first = try await world.store.read { try $0.eventCheckpoints(of: id) }
      #expect(first.count == 1)
      try await signIn("bob", world)
      _ = try await checkpoints.run(now: world.now)
      #expect(try await world.store.read { try $0.eventCheckpoints(of: id) }.count == 1)
      world.advance(3600)
      #expect(try await faults(checkpoints, world).isEmpty)
      #expect(try await world.store.read { try $0.eventCheckpoints(of: id) }.count == 2)
    }
  }

  @Test func `a chain whose events were replaced since the last checkpoint`() async throws {
    try await with { world, checkpoints in
      _ = try await checkpoints.run(now: world.now)
      let (id, before) = (world.project.id, try await world.links().count)
      try await signIn("bob", world)
      let end = try await world.store.read { try $0.chainEnd(of: id) }
      let forged = EventChainEnd(number: end.number, digest: Array(repeating: 1, count: 32))
      try await world.store.write { try $0.setChainEnd(forged, of: id) }
      world.advance(3600)
      #expect(before > 0)
      #expect(try await faults(checkpoints, world) == [.changed(end.number)])
      #expect(try await world.store.read { try $0.eventCheckpoints(of: id) }.count == 1)
    }
  }

  @Test func `a log whose checkpoints were removed`() async throws {
    try await with { world, checkpoints in
      _ = try await checkpoints.run(now: world.now)
      let id = world.project.id
      let links = try await world.store.read {
        try $0.eventLinks(of: id, after: 0, limit: 1000)
      }
      let end = try #require(links.last?.end)
      try await world.store.write { transaction in
        try transaction.deleteEvents(of: id)
        for link in links { try transaction.append(link) }
        try transaction.setChainEnd(end, of: id)
      }
      world.advance(3600)
      #expect(try await faults(checkpoints, world) == [.checkpointRemoved(end.number)])
    }
  }
}
