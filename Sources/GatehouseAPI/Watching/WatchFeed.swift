package import GatehouseAccounts
import GatehouseModel

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

  private mutating func tell(_ links: [EventLink]) async throws {
    var doubtful: Set<WatchingSession> = []
    var watchers: [WatchingSession: [Watcher]] = [:]
    for link in links {
      let told = watchersConcerned(by: link)
      for watcher in told where link.event.kind.isWatched {
        try await pace.wake(watcher)
        watcher.tell(link)
      }
      guard link.event.kind.mayEndSessions || link.event.uid == nil else { continue }
      for watcher in told where doubtful.insert(watcher.session).inserted {
        watchers[watcher.session] = told.filter { $0.session == watcher.session }
      }
    }
    guard !doubtful.isEmpty else { return }
    for (session, end) in try await accounts.endedSessions(among: Array(doubtful)) {
      for watcher in watchers[session, default: []] {
        try await pace.wake(watcher)
        watcher.finish(.signedOut, telling: .signedOut(end))
      }
    }
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
