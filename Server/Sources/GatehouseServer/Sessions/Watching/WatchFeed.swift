import GatehouseProtocol

/// Tells a server's watchers of the events of their accounts, on whichever server they happened.
package struct WatchFeed: Sendable {
  private let hub: WatchHub
  private let feed: EventFeed
  private let accounts: AccountsService
  /// The watchers were told of the events up to here.
  private var position: Int64
  private var pace: WatchPace

  /// Create it before the first watcher registers.
  ///
  /// - Throws: What the store throws.
  package init(
    _ hub: WatchHub, _ feed: EventFeed, _ accounts: AccountsService,
    pause: @escaping @Sendable () async throws -> Void = WatchPace.pause
  ) async throws {
    self.hub = hub
    self.feed = feed
    self.accounts = accounts
    pace = WatchPace(pause: pause)
    position = try await feed.end()
  }

  /// Looks for new events once. Without new events, or without watchers, this is one small read.
  package mutating func look() async throws {
    let end = try await feed.end()
    // In this order: a watcher that comes after the read finds the events up to `end` in the log.
    guard hub.count > 0, end > position else { return position = end }
    while position < end {
      let links = try await feed.links(after: position)
      // If this fails, the same events are read again. No watcher is told of one twice.
      try await tell(links)
      // If none of these events can be read, the ones after them are looked at, too.
      position = links.last?.position ?? min(position + Int64(EventFeed.page), end)
    }
  }

  /// Tells the watchers of a page of events. After an event that may have ended a session, its watchers learn
  /// of later events only if the session is alive.
  private mutating func tell(_ links: [EventLink]) async throws {
    var doubtful: [ObjectIdentifier: (watcher: Watcher, later: [EventLink])] = [:]
    for link in links {
      for watcher in watchersConcerned(by: link) {
        let id = ObjectIdentifier(watcher)
        if doubtful[id] != nil {
          doubtful[id]?.later.append(link)
          continue
        }
        try await tell(watcher, link)
        if link.event.kind.mayEndSessions || link.event.uid == nil { doubtful[id] = (watcher, []) }
      }
    }
    guard !doubtful.isEmpty else { return }
    let sessions = Set(doubtful.values.map(\.watcher.session))
    let ended = try await accounts.endedSessions(among: Array(sessions))
    for (watcher, later) in doubtful.values {
      if let end = ended[watcher.session] {
        try await pace.wake(watcher)
        watcher.finish(.signedOut, telling: .signedOut(end))
      } else {
        for link in later { try await tell(watcher, link) }
      }
    }
  }

  private mutating func tell(_ watcher: Watcher, _ link: EventLink) async throws {
    guard link.event.kind.isWatched else { return }
    try await pace.wake(watcher)
    watcher.tell(link)
  }

  private func watchersConcerned(by link: EventLink) -> [Watcher] {
    if let project = link.event.project, let uid = link.event.uid {
      return hub.watchers(of: AccountKey(project: project, uid: uid))
    }
    // A deleted project's accounts and their events are gone with it.
    guard link.event.kind == .settingChanged, link.event.details["what"] == "project",
      let name = link.event.details["name"], let project = ProjectID(name)
    else { return [] }
    return hub.watchers(of: project)
  }
}

/// Leaves time for requests while many watchers are told.
///
/// Each watcher that is told wakes the task of its connection. If thousands were woken at once, a
/// request that arrives then would wait for all of them.
package struct WatchPace: Sendable {
  /// Woken watchers between two pauses.
  package static let batch = 64
  /// The most pauses after a batch whose last watcher doesn't take its news: its client may not
  /// read.
  package static let pausesAtMost = 20
  private let takePause: @Sendable () async throws -> Void
  private var woken = 0
  private var last: Watcher?

  package init(pause: @escaping @Sendable () async throws -> Void) { takePause = pause }

  /// Five milliseconds: at most 12,800 watchers are woken in a second.
  package static let pause: @Sendable () async throws -> Void = {
    try await Task.sleep(for: .milliseconds(5))
  }

  /// Call it before a watcher is told. After a batch it pauses until the batch's last watcher has
  /// taken its news, at most ``pausesAtMost`` times.
  mutating func wake(_ watcher: Watcher) async throws {
    if woken == Self.batch {
      woken = 0
      var pauses = 0
      repeat {
        try await takePause()
        pauses += 1
      } while pauses < Self.pausesAtMost && last.map { $0.waiting > 0 } == true
    }
    woken += 1
    last = watcher
  }
}
