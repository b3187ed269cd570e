import GatehouseTokens

import struct Foundation.Date
import struct Foundation.TimeInterval

/// The server's keys from one fetch.
struct KeySnapshot: Sendable {
  var keys: KeySet
  var fetchedAt: Date
  var lifetimeSeconds: Int
  /// The number of the fetch. ``ServerKeyState`` sets it.
  var generation = 0
}

/// What is known about the server's keys, and what to do next. Pure: method in, action out.
///
/// ```
///            ┌── fresh ───────────────► use
///            ├── past 80 % ───────────► one caller fetches, the others use these
///   keys ────┼── expired, none ───────► one caller fetches, the others wait for it
///            └── a fetch just failed ─► use these until too stale, then refuse
///   unknown kid ──────────────────────► fetch at most once per window
/// ```
struct ServerKeyState: Sendable {
  enum Action {
    case use(KeySnapshot)
    /// The caller fetches, reports with `fetched` or `failed`, and asks again.
    case fetch
    /// Another caller fetches: ask again when that fetch has ended.
    case wait
    case refuse(ServerFault)
  }

  /// How long a failure is remembered before the next attempt.
  static let retrySeconds: TimeInterval = 30
  /// At most one fetch for unknown keys in this time.
  static let unknownKeyWindowSeconds: TimeInterval = 60

  let staleSeconds: Int
  private(set) var isInFlight = false
  private var current: KeySnapshot?
  private var failure: (reason: ServerFault, at: Date)?
  private var unknownKeyFetchAt: Date?

  init(staleSeconds: Int) { self.staleSeconds = staleSeconds }

  /// The keys to verify with.
  mutating func keys(now: Date) -> Action {
    if let current, isWithin(Double(current.lifetimeSeconds), current.fetchedAt, now) {
      if isInFlight || hasJustFailed(now) || !isDue(current, now) { return .use(current) }
      return takeOff()
    }
    let stale = current.flatMap {
      isWithin(Double($0.lifetimeSeconds + staleSeconds), $0.fetchedAt, now) ? $0 : nil
    }
    // While there are stale keys, no caller waits for a server that is known to be down.
    if let stale, failure != nil, isInFlight || hasJustFailed(now) { return .use(stale) }
    if isInFlight { return .wait }
    if let failure, hasJustFailed(now) { return .refuse(failure.reason) }
    return takeOff()
  }

  /// Newer keys than those of `generation`, which lack the key that a token names.
  ///
  /// ``Action/refuse(_:)`` means that newer keys can't be fetched now: the token stays refused.
  mutating func keys(after generation: Int, now: Date) -> Action {
    guard let current else { return .refuse(.noUsableKey) }
    if current.generation > generation { return .use(current) }
    if isInFlight { return .wait }
    if let last = unknownKeyFetchAt, isWithin(Self.unknownKeyWindowSeconds, last, now) {
      return .refuse(.noUsableKey)
    }
    if let failure, hasJustFailed(now) { return .refuse(failure.reason) }
    unknownKeyFetchAt = now
    return takeOff()
  }

  mutating func fetched(_ keys: KeySet, lifetimeSeconds: Int, now: Date) {
    current = KeySnapshot(
      keys: keys, fetchedAt: now, lifetimeSeconds: lifetimeSeconds,
      generation: (current?.generation ?? 0) + 1)
    failure = nil
    isInFlight = false
  }

  mutating func failed(_ reason: ServerFault, now: Date) {
    failure = (reason, now)
    isInFlight = false
  }

  private mutating func takeOff() -> Action {
    isInFlight = true
    return .fetch
  }

  private func isDue(_ snapshot: KeySnapshot, _ now: Date) -> Bool {
    !isWithin(Double(snapshot.lifetimeSeconds) * 0.8, snapshot.fetchedAt, now)
  }

  private func hasJustFailed(_ now: Date) -> Bool {
    failure.map { isWithin(Self.retrySeconds, $0.at, now) } ?? false
  }

  /// Compares the absolute difference, so that a clock that was set back doesn't keep a window
  /// open.
  private func isWithin(_ seconds: TimeInterval, _ instant: Date, _ now: Date) -> Bool {
    abs(now.timeIntervalSince(instant)) < seconds
  }
}
