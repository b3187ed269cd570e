import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct WatchHubTests {
  private static let client = ClientAddress.unknown

  /// Runs `body` with a hub and the session of an account.
  private func with(
    _ limits: WatchLimits = WatchLimits(),
    _ body: (TestServer, WatchHub, WatchingSession) async throws -> Void
  ) async throws {
    try await TestServer.with { server in
      let (idToken, _) = try await server.signUp("ada@example.com")
      try await body(server, WatchHub(limits: limits), try await server.watchingSession(idToken))
    }
  }

  private func link(_ position: Int64, _ session: WatchingSession) -> EventLink {
    EventLink(
      Event(
        project: session.project, kind: .profileChanged, uid: session.uid, at: TestServer.start,
        actor: .user), position: position, after: .empty)
  }

  private func events(_ news: [Watcher.News]?) -> Int {
    news?.count { if case .event = $0 { true } else { false } } ?? 0
  }

  @Test
  func `the oldest watcher of an account ends, and only when the newer one's session is known`()
    async throws
  {
    var limits = WatchLimits()
    limits.perAccount = 2
    try await with(limits) { _, hub, session in
      let places = try (0..<3).map { _ in try hub.register(session, from: Self.client) }
      for place in places.prefix(2) { hub.begin(place.watcher, after: 0) }
      #expect(places.allSatisfy { $0.watcher.end == nil })
      hub.begin(places[2].watcher, after: 0)
      #expect(places.map(\.watcher.end) == [.replaced, nil, nil])
      #expect(await places[0].watcher.next() == [.replaced])
      #expect(await places[0].watcher.next() == nil)
    }
  }

  @Test func `a watcher is told each event once, from where its client's knowledge ends`()
    async throws
  {
    try await with { _, hub, session in
      let place = try hub.register(session, from: Self.client)
      for position in Int64(1)...4 { place.watcher.tell(link(position, session)) }
      hub.begin(place.watcher, after: 3)
      place.watcher.tell(link(2, session))
      place.watcher.tell(link(4, session))
      place.watcher.tell(link(5, session))
      #expect(events(await place.watcher.next()) == 2)
      place.watcher.tell(link(5, session))
      place.watcher.finish(.shutdown)
      #expect(await place.watcher.next() == nil)
    }
  }

  @Test func `the networks of one IPv6 site hold at most half of the places`() async throws {
    var limits = WatchLimits()
    limits.watchers = 4
    limits.perAddress = 1
    try await with(limits) { _, hub, session in
      func register(_ address: String) throws -> WatchPlace {
        try hub.register(session, from: ClientAddress(try #require(IPAddress(address))))
      }
      let place = try register("2001:db8:1:1::1")
      let held = try register("2001:db8:1:2::1")
      #expect(throws: WatchRefusal.address) { try register("2001:db8:1:3::1") }
      let other = try register("2001:db8:2::1")
      place.leave()
      let again = try register("2001:db8:1:3::1")
      withExtendedLifetime([held, other, again]) {}
    }
  }

  @Test func `a client that reads too slowly gets what waits, and its stream ends`() async throws {
    var limits = WatchLimits()
    limits.waitingEvents = 3
    try await with(limits) { _, hub, session in
      let place = try hub.register(session, from: Self.client)
      hub.begin(place.watcher, after: 0)
      for position in Int64(1)...9 { place.watcher.tell(link(position, session)) }
      #expect(place.watcher.end == .slow)
      #expect(events(await place.watcher.next()) == 3)
      #expect(await place.watcher.next() == nil)
    }
  }

  @Test func `every watcher gets one heartbeat in its time, and at expiry of the token the end`()
    async throws
  {
    try await with { server, hub, session in
      let place = try hub.register(session, from: Self.client)
      hub.begin(place.watcher, after: 0)
      let step = WatchHub.heartbeat / 10
      var beats = 0
      for number in 1...30 {
        hub.beat(elapsed: step * number, now: server.clock.now)
        // Taken at once, as by a client that reads.
        beats += place.watcher.waiting
        if place.watcher.waiting > 0 { _ = await place.watcher.next() }
      }
      #expect((2...3).contains(beats))
      server.clock.advance(seconds: 3600)
      hub.beat(elapsed: step * 60, now: server.clock.now)
      #expect(place.watcher.end == .expired)
    }
  }

  @Test func `a released place is free, and a closed hub takes no more`() async throws {
    var limits = WatchLimits()
    limits.watchers = 1
    try await with(limits) { _, hub, session in
      do {
        let place = try hub.register(session, from: Self.client)
        #expect(throws: WatchRefusal.full) { try hub.register(session, from: Self.client) }
        #expect(place.watcher.end == nil)
      }
      #expect(hub.count == 0)
      let place = try hub.register(session, from: Self.client)
      hub.close()
      #expect(place.watcher.end == .shutdown)
      place.leave()
      place.leave()
      #expect(hub.count == 0)
      #expect(throws: WatchRefusal.closing) { try hub.register(session, from: Self.client) }
    }
  }
}
