import Foundation
import GRDB
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens
import Testing

/// Events of a newer version, and damaged ones. This version can't read either.
@Suite struct EventDamageTests {
  private static let now = Date(timeIntervalSince1970: 1_800_000_000)

  private func event(_ uid: String, _ kind: EventKind = .linked) throws -> Event {
    Event(
      project: try projectID(), kind: kind, uid: UID(uid), at: Self.now, actor: .user,
      source: EventSource(address: "192.0.2.1"))
  }

  private func append(_ events: [Event], to store: SQLiteStore) async throws {
    try await store.write { transaction in
      for event in events { try transaction.append(event) }
    }
  }

  /// Changes the database as another program does it.
  private func run(_ sql: String, in folder: URL) async throws {
    let database = try connect(folder)
    try await database.write { try $0.execute(sql: sql) }
    try database.close()
  }

  private func links(_ store: SQLiteStore) async throws -> [EventLink] {
    let project = try projectID()
    return try await store.read { try $0.eventLinks(of: project, after: 0, limit: 1000) }
      .filter { $0.event.kind != .settingChanged }
  }

  private func with(
    _ body: (_ store: SQLiteStore, _ folder: URL, _ linker: EventLinker) async throws -> Void
  ) async throws {
    try await withFolder { folder in
      let store = try await openStore(folder)
      let linker = EventLinker(store: store)
      try await linker.run()
      try await body(store, folder, linker)
      await store.close()
    }
  }

  @Test func `events that can't be read wait, and hold up no other`() async throws {
    try await with { store, folder, linker in
      try await append(try (0..<450).map { try event("u\($0)") }, to: store)
      // More than are read at once, one between the others, and the last one.
      try await run(
        """
        UPDATE waiting_events SET kind = 'account.of_tomorrow'
        WHERE key < (SELECT min(key) + 250 FROM waiting_events)
          OR uid IN ('u300', 'u449')
        """, in: folder)
      let outcome = try await linker.link()
      #expect(outcome.count == 198)
      #expect(outcome.lastUnreadable != nil)
      let readable: [String?] = (250..<449).filter { $0 != 300 }.map { "u\($0)" }
      #expect(try await links(store).map(\.event.uid?.text) == readable)
      #expect(try await linker.run() == 0)

      // A version that can read them.
      try await run("UPDATE waiting_events SET kind = 'account.linked'", in: folder)
      let later = try await linker.link()
      #expect(later.count == 252)
      #expect(later.lastUnreadable == nil)
      let all = try await links(store)
      #expect(Set(all.map(\.event.uid?.text)).count == 450)
      #expect(all.last?.event.uid?.text == "u449")
      let project = try projectID()
      let end = try await store.read { try $0.chainEnd(of: project) }
      var check = EventChainCheck()
      for link in try await store.read({ try $0.eventLinks(of: project, after: 0, limit: 1000) }) {
        check.add(link)
      }
      #expect(check.finish(expecting: end).faults.isEmpty)
    }
  }

  @Test func `an erased account's event that can't be read loses its source, and no other does`()
    async throws
  {
    try await with { store, folder, linker in
      try await append([try event("ann"), try event("bob")], to: store)
      try await run("UPDATE waiting_events SET kind = 'account.of_tomorrow'", in: folder)
      _ = try await linker.run()
      try await append([try event("ann", .deleted)], to: store)
      #expect(try await linker.run() == 1)
      try await run("UPDATE waiting_events SET kind = 'account.linked'", in: folder)
      #expect(try await linker.run() == 2)
      let linked = try await links(store).filter { $0.event.kind == .linked }
      #expect(linked.map(\.event.uid?.text) == ["ann", "bob"])
      #expect(linked.map(\.event.source.isEmpty) == [true, false])
    }
  }

  @Test func `watching devices are told of the events behind one that can't be read`()
    async throws
  {
    try await with { store, folder, linker in
      let start = try await store.read { try $0.lastEventPosition() }
      try await append([try event("ann"), try event("bob")], to: store)
      try await linker.run()
      try await run("UPDATE events SET kind = 'account.of_tomorrow' WHERE uid = 'ann'", in: folder)
      let told = try await EventFeed(store: store).links(after: start)
      #expect(told.map(\.event.uid?.text) == ["bob"])
    }
  }

  private struct PlainForms: SigningKeyForms {
    func signer(with key: SigningKey) throws -> any TokenSigner {
      guard case .rsa(let key) = key else { throw TokenError(.algorithmUnsupported) }
      return RS256Signer(key: key)
    }

    func certificate(of key: SigningKey, publishedAt: Date) -> String { key.keyID }
  }

  @Test func `a chain that can't be read gets no checkpoint, and the others do`() async throws {
    try await with { store, folder, linker in
      let (first, second) = (try projectID(), try #require(ProjectID("second-project")))
      try await store.write { transaction in
        try transaction.save(
          Project(
            id: second, number: 2, issuer: "https://auth.example.com/second-project",
            authorizedDomains: [], policies: ProjectPolicies()))
        for (project, uid) in [(first, "ann"), (second, "bob")] {
          try transaction.append(
            Event(project: project, kind: .linked, uid: UID(uid), at: Self.now, actor: .user))
        }
      }
      try await linker.run()
      try await run("UPDATE events SET kind = 'account.of_tomorrow' WHERE uid = 'ann'", in: folder)
      let checkpoints = EventCheckpoints(
        store: store,
        keys: try await SigningKeys.open(
          .eventLog, store: store, forms: PlainForms(), now: Self.now))
      let faults = try await checkpoints.run(now: Self.now).faults
      #expect(faults.map(\.project) == [first])
      #expect(faults.map(\.fault) == [.unreadable(after: 0)])
      #expect(try await store.read { try $0.lastEventCheckpoint(of: first) } == nil)
      #expect(try await store.read { try $0.lastEventCheckpoint(of: second) } != nil)
    }
  }
}
