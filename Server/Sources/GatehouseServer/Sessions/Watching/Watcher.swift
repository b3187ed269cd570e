import GatehouseProtocol
import Synchronization

/// A device that watches its account, with the news that waits until the task of its connection
/// takes it.
///
/// A caller that has news leaves it here, and doesn't wait. One task takes the news with
/// ``next()``.
package final class Watcher: Sendable {
  package enum News: Hashable, Sendable {
    case event(Event)
    /// Shows the client, and the proxies between, that the connection is alive.
    case heartbeat
    case signedOut(WatchedEnd)
    /// Newer devices of the account took its place.
    case replaced
  }

  /// Why a stream ended.
  package enum End: String, Hashable, Sendable, CaseIterable {
    /// The client closed the connection.
    case client
    case signedOut = "signed_out"
    case replaced
    /// The ID token expired.
    case expired
    /// The client read too slowly.
    case slow
    /// The server is shutting down.
    case shutdown
  }

  private struct State {
    /// Each with the position of its event; 0 for news without an event.
    var waiting: [(position: Int64, news: News)] = []
    /// The client knows the events up to here, or they wait here.
    var lastPosition: Int64 = 0
    var hasBegun = false
    var end: End?
    var waiter: CheckedContinuation<Void, Never>?

    var isReady: Bool { !waiting.isEmpty || end != nil }
  }

  package let session: WatchingSession
  let client: ClientAddress
  /// When its heartbeats are due: see ``WatchHub``.
  let slot: Int
  private let limit: Int
  private let state = Mutex(State())

  package init(_ session: WatchingSession, client: ClientAddress, slot: Int, limit: Int) {
    self.session = session
    self.client = client
    self.slot = slot
    self.limit = limit
  }

  var account: AccountKey { AccountKey(project: session.project, uid: session.uid) }
  package var end: End? { state.withLock(\.end) }
  /// How much news waits for the task of the connection.
  package var waiting: Int { state.withLock(\.waiting.count) }
  package var hasBegun: Bool { state.withLock(\.hasBegun) }

  // MARK: Telling

  /// The client gets the events up to `position` in another way: from the log.
  package func begin(after position: Int64) {
    state.withLock { state in
      state.hasBegun = true
      state.lastPosition = max(state.lastPosition, position)
      state.waiting.removeAll { (1...max(1, position)).contains($0.position) }
    }
  }

  /// No effect if the client has been told of the event, or its stream has ended.
  package func tell(_ link: EventLink) {
    guard link.event.kind.isWatched else { return }
    change { state in
      guard link.position > state.lastPosition else { return }
      state.lastPosition = link.position
      guard state.waiting.count < limit else { return state.end = .slow }
      state.waiting.append((link.position, .event(link.event)))
    }
  }

  package func beat() {
    change { state in if state.waiting.isEmpty { state.waiting.append((0, .heartbeat)) } }
  }

  /// The first end counts.
  package func finish(_ end: End, telling last: News? = nil) {
    change { state in
      if let last { state.waiting.append((0, last)) }
      state.end = end
    }
  }

  private func change(_ body: (inout State) -> Void) {
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.end == nil else { return nil }
      body(&state)
      return state.isReady ? state.waiter.take() : nil
    }
    waiter?.resume()
  }

  // MARK: Taking

  /// Waits for news. Only one task may call it.
  ///
  /// - Returns: All waiting news, in their order; nil after the last news of a stream that has
  ///   ended.
  package func next() async -> [News]? {
    while true {
      let (news, end) = state.withLock { state in
        defer { state.waiting = [] }
        return (state.waiting.map(\.news), state.end)
      }
      // The client has left.
      if end == .client { return nil }
      if !news.isEmpty { return news }
      if end != nil { return nil }
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          if !state.isReady { state.waiter = continuation }
          return state.isReady
        }
        if isReady { continuation.resume() }
      }
    }
  }
}
