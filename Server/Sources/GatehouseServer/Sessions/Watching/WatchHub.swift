package import Foundation
import GatehouseProtocol
import Metrics
import Synchronization

/// The devices that watch their accounts at this server.
package final class WatchHub: Sendable {
  /// Each client gets at least one heartbeat in this time, unless it gets news. Proxies close
  /// connections on which nothing is sent for a minute (nginx's `proxy_read_timeout`).
  package static let heartbeat = Duration.seconds(20)
  /// Each watcher has its time within ``heartbeat``, so that not all of them are woken at once.
  package static let slots = 200
  private static let slotTime = heartbeat / slots

  fileprivate struct State {
    /// The watchers of each account, the oldest first.
    var accounts: [AccountKey: [Watcher]] = [:]
    var addresses: [ClientAddress: Int] = [:]
    var slots: [[ObjectIdentifier: Watcher]] = Array(repeating: [:], count: WatchHub.slots)
    var count = 0
    var lastSlot = 0
    var isClosed = false
  }

  private let limits: WatchLimits
  private let state = Mutex(State())
  private let metrics = WatchMetrics()

  package init(limits: WatchLimits = WatchLimits()) { self.limits = limits }

  /// Whether devices may watch at this server at all.
  var isOffered: Bool { limits.watchers > 0 }
  package var count: Int { state.withLock(\.count) }

  // MARK: Coming and going

  /// Gives the session's device a place. From now on it is told of its account's events.
  ///
  /// The device replaces another one only in ``begin(_:after:)``: before, it isn't known whether the
  /// session is still valid.
  package func register(
    _ session: WatchingSession, from client: ClientAddress
  ) throws(WatchRefusal) -> WatchPlace {
    let outcome: Result<Watcher, WatchRefusal> = state.withLock { state in
      if state.isClosed { return .failure(.closing) }
      if state.count >= limits.watchers { return .failure(.full) }
      if state.addresses[client, default: 0] >= limits.perAddress { return .failure(.address) }
      if let site = client.site,
        state.addresses[site, default: 0]
          >= ClientAddress.siteLimit(limits.perAddress, of: limits.watchers)
      {
        return .failure(.address)
      }
      let watcher = Watcher(
        session, client: client, slot: (state.lastSlot + Self.slots - 1) % Self.slots,
        limit: limits.waitingEvents)
      state.add(watcher)
      metrics.show(state.count)
      return .success(watcher)
    }
    switch outcome {
    case .success(let watcher): return WatchPlace(watcher, in: self)
    case .failure(let refusal):
      metrics.count(refusal)
      throw refusal
    }
  }

  /// Call it when the session is known to be valid, and the client is told of the events up to
  /// `position`. If the account has too many watchers now, the streams of the oldest end.
  package func begin(_ watcher: Watcher, after position: Int64) {
    watcher.begin(after: position)
    let oldest = state.withLock { state in
      let begun = state.accounts[watcher.account, default: []].filter {
        $0.hasBegun && $0.end == nil
      }
      return begun.prefix(max(0, begun.count - limits.perAccount))
    }
    for watcher in oldest { watcher.finish(.replaced, telling: .replaced) }
  }

  /// No effect for a watcher that has left.
  fileprivate func leave(_ watcher: Watcher) {
    state.withLock { state in
      guard state.remove(watcher) else { return }
      metrics.show(state.count)
      metrics.count(watcher.end ?? .client)
    }
  }

  /// Ends all streams, and allows no more. For a shutdown.
  package func close() {
    let all = state.withLock { state in
      state.isClosed = true
      return state.accounts.values.flatMap(\.self)
    }
    for watcher in all { watcher.finish(.shutdown) }
  }

  // MARK: News

  func watchers(of account: AccountKey) -> [Watcher] {
    state.withLock { $0.accounts[account] ?? [] }
  }

  func watchers(of project: ProjectID) -> [Watcher] {
    state.withLock { state in
      state.accounts.filter { $0.key.project == project }.flatMap(\.value)
    }
  }

  /// Sends the heartbeats that are due. A stream whose ID token has expired ends when its heartbeat is
  /// due.
  ///
  /// - Parameter elapsed: Since any fixed time; doesn't decrease.
  package func beat(elapsed: Duration, now: Date) {
    let due = state.withLock { state -> [Watcher] in
      let slot = Int(elapsed / Self.slotTime)
      let passed = min(max(0, slot - state.lastSlot), Self.slots)
      defer { state.lastSlot = max(state.lastSlot, slot) }
      return (0..<passed).flatMap { state.slots[(slot - $0) % Self.slots].values }
    }
    for watcher in due {
      if watcher.session.expiresAt <= now { watcher.finish(.expired) } else { watcher.beat() }
    }
  }
}

extension WatchHub.State {
  fileprivate mutating func add(_ watcher: Watcher) {
    accounts[watcher.account, default: []].append(watcher)
    for address in [watcher.client, watcher.client.site].compactMap(\.self) {
      addresses[address, default: 0] += 1
    }
    slots[watcher.slot][ObjectIdentifier(watcher)] = watcher
    count += 1
  }

  fileprivate mutating func remove(_ watcher: Watcher) -> Bool {
    guard slots[watcher.slot].removeValue(forKey: ObjectIdentifier(watcher)) != nil else {
      return false
    }
    accounts[watcher.account]?.removeAll { $0 === watcher }
    if accounts[watcher.account]?.isEmpty == true { accounts[watcher.account] = nil }
    for address in [watcher.client, watcher.client.site].compactMap(\.self) {
      let others = addresses[address, default: 1] - 1
      addresses[address] = others == 0 ? nil : others
    }
    count -= 1
    return true
  }
}

/// A device's place among the watchers. It is free again when this is released, also if its stream never
/// began.
package final class WatchPlace: Sendable {
  package let watcher: Watcher
  private let hub: WatchHub

  fileprivate init(_ watcher: Watcher, in hub: WatchHub) {
    self.watcher = watcher
    self.hub = hub
  }

  package func leave() { hub.leave(watcher) }

  deinit { leave() }
}

/// Counts the open streams, and by reason those that ended and those that were refused.
struct WatchMetrics: Sendable {
  private let open = Metric.watchers.gauge()
  private let ended: [Watcher.End: Counter]
  private let refused: [WatchRefusal: Counter]

  init() {
    ended = Metric.watchersEnded.counters("reason", Watcher.End.allCases) { $0.rawValue }
    refused = Metric.watchersRefused.counters("reason", WatchRefusal.allCases)
  }

  func show(_ watchers: Int) { open.record(watchers) }
  func count(_ end: Watcher.End) { ended[end]?.increment() }
  func count(_ refusal: WatchRefusal) { refused[refusal]?.increment() }
}
