import GatehouseServer
import GatehouseProtocol
import Synchronization
import Testing

@Suite struct WatchFeedTests {
  @Test func `many events are read in pages, and each account's watcher is told of its own`()
    async throws
  {
    try await TestServer.with { server in
      let hub = server.services.watchers
      let (ada, _) = try await server.signUp("ada@example.com")
      let (bob, _) = try await server.signUp("bob@example.com")
      var feed = try await server.feed()
      let ofAda = try hub.register(try await server.watchingSession(ada), from: .unknown)
      let ofBob = try hub.register(try await server.watchingSession(bob), from: .unknown)
      let session = ofAda.watcher.session
      try await server.store.write { transaction in
        for number in 0..<450 {
          let uid = number == 449 ? session.uid : try #require(UID("somebody\(number)"))
          try transaction.append(
            Event(
              project: session.project, kind: .profileChanged, uid: uid, at: TestServer.start,
              actor: .user))
        }
      }
      try await server.passOn(&feed)
      #expect(ofAda.watcher.waiting == 1)
      #expect(ofBob.watcher.waiting == 0)
    }
  }

  /// A thief's device must not see what the user does after the thief's session has ended.
  @Test(arguments: [true, false])
  func `what follows the end of a session is told only to other sessions`(_ ends: Bool) async throws
  {
    try await TestServer.with { server in
      let (ada, _) = try await server.signUp("ada@example.com")
      var feed = try await server.feed()
      let place = try server.services.watchers.register(
        try await server.watchingSession(ada), from: .unknown)
      let session = place.watcher.session
      // The project's own event, which may end every session of it.
      try await server.passOn(&feed)
      try await server.store.write { transaction in
        if ends {
          try transaction.endSessions(
            of: session.uid, in: session.project, startedAtOrBefore: nil,
            ending: Session.Ending(at: TestServer.start, reason: .revoked))
        }
        for kind in [EventKind.tokensRevoked, .profileChanged] {
          try transaction.append(
            Event(
              project: session.project, kind: kind, uid: session.uid, at: TestServer.start,
              actor: .user))
        }
      }
      try await server.passOn(&feed)
      let kinds = (await place.watcher.next() ?? []).map { news in
        switch news {
        case .event(let event): event.kind.rawValue
        case .signedOut: "signed out"
        default: "other"
        }
      }
      let last = ends ? "signed out" : EventKind.profileChanged.rawValue
      #expect(kinds == [EventKind.tokensRevoked.rawValue, last])
    }
  }

  @Test func `what happened while nobody watched is not told`() async throws {
    try await TestServer.with { server in
      let hub = server.services.watchers
      let (ada, _) = try await server.signUp("ada@example.com")
      var feed = try await server.feed()
      try await server.passOn(&feed)
      let place = try hub.register(try await server.watchingSession(ada), from: .unknown)
      try await server.passOn(&feed)
      #expect(place.watcher.waiting == 0)
    }
  }

  @Test func `the watchers of a deleted project are signed out`() async throws {
    try await TestServer.with { server in
      let hub = server.services.watchers
      let (ada, _) = try await server.signUp("ada@example.com")
      var feed = try await server.feed()
      let place = try hub.register(try await server.watchingSession(ada), from: .unknown)
      let project = place.watcher.session.project
      try await server.store.write { try $0.deleteProject(project) }
      try await server.passOn(&feed)
      #expect(place.watcher.end == .signedOut)
      #expect(await place.watcher.next() == [.signedOut(.deleted)])
    }
  }

  @Test(arguments: [(WatchPace.batch, 0), (WatchPace.batch + 1, 1), (2 * WatchPace.batch + 1, 2)])
  func `there is a pause after each batch of watchers that are told`(
    watchers: Int, pauses: Int
  ) async throws {
    let taken = try await self.pauses(telling: watchers) { watcher in _ = await watcher.next() }
    #expect(taken == pauses)
  }

  @Test func `watchers that take no news hold up the others for a limited time`() async throws {
    let taken = try await self.pauses(telling: WatchPace.batch + 1) { _ in }
    #expect(taken == WatchPace.pausesAtMost)
  }

  /// How many pauses there are. In each, `served` is called with each watcher that has been told.
  private func pauses(
    telling count: Int, _ served: @escaping @Sendable (Watcher) async -> Void
  ) async throws -> Int {
    var limits = WatchLimits()
    limits.perAddress = count
    let hub = WatchHub(limits: limits)
    let taken = Atomic(0)
    try await TestServer.with { server in
      let (ada, _) = try await server.signUp("ada@example.com")
      let session = try await server.watchingSession(ada)
      let places = Mutex<[WatchPlace]>([])
      var feed = try await WatchFeed(
        hub, EventFeed(store: server.store), server.services.accounts,
        pause: {
          taken.add(1, ordering: .relaxed)
          for place in places.withLock(\.self) where place.watcher.waiting > 0 {
            await served(place.watcher)
          }
        })
      try await server.passOn(&feed)
      for _ in 0..<count {
        let place = try hub.register(session, from: .unknown)
        places.withLock { $0.append(place) }
      }
      try await server.store.write { transaction in
        try transaction.append(
          Event(
            project: session.project, kind: .profileChanged, uid: session.uid,
            at: TestServer.start, actor: .user))
      }
      try await server.passOn(&feed)
      #expect(places.withLock(\.last)?.watcher.waiting == 1)
    }
    return taken.load(ordering: .relaxed)
  }
}
