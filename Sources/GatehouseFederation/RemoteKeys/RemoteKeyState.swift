import GatehouseTokens

package import struct Foundation.Date
package import struct Foundation.TimeInterval

/// The state of one source's keys, and what to do next. Pure: method in, action out.
///
/// ```
///            ┌── fresh ──────────────► use (past 80 % also: refresh in the background)
///   keys ────┼── expired, none ──────► fetch; other callers wait for that fetch
///            └── fetch just failed ──► use the old ones (24 h past expiry), else refuse
///   unknown kid ─────────────────────► fetch once per window, however many tokens arrive; again
///                                      in the window only after a fetch that brought other keys
/// ```
package struct RemoteKeyState: Sendable {
  package struct Limits: Sendable {
    /// How long after their expiry keys are used while the provider fails (stale-if-error).
    package var staleSeconds: TimeInterval = 24 * 60 * 60
    /// How long a failure is remembered before the next attempt.
    package var retrySeconds: TimeInterval = 30
    /// In this time there is at most one fetch for unknown keys, unless it brought other keys.
    package var unknownKeyWindowSeconds: TimeInterval = 60
    /// The maximum of fetches in this time if each brought other keys, for a provider that rotates
    /// its keys twice in a minute. Only the provider can cause more than one.
    package var unknownKeyFetches = 4

    package init() {}
  }

  /// What to fetch.
  package enum Fetch: Sendable {
    /// The discovery document, if there is one, and the keys.
    case all
    /// Only the keys, from their last URL.
    case keys(ProviderMetadata?)
  }

  package enum Action: Sendable {
    case use(KeySnapshot)
    /// Use these keys, and call ``beginRefresh(now:)`` soon.
    case useAndRefresh(KeySnapshot)
    /// The caller fetches, and reports by `fetched`, `failed` or `abandoned`.
    case fetch(Fetch)
    /// Another caller fetches: ask again when that fetch has ended.
    case wait
    case refuse(RemoteKeyFailure)
  }

  let limits: Limits
  package private(set) var isInFlight = false
  private var current: KeySnapshot?
  private var failure: (reason: RemoteKeyFailure, at: Date)?
  private var unknownKeyWindow: UnknownKeyWindow?
  private var refreshAskedAt: Date?

  private struct UnknownKeyWindow: Sendable {
    let openedAt: Date
    var fetches = 1
    /// Whether no fetch has changed the keys since the last request in this window.
    var isClosed = true
  }

  package init(limits: Limits) { self.limits = limits }

  /// The keys to verify with.
  ///
  /// - Parameter hasBackground: Whether a background task acts on ``Action/useAndRefresh(_:)``.
  package mutating func keys(now: Date, hasBackground: Bool) -> Action {
    if let current, now < current.expiresAt {
      return hasBackground && now >= current.refreshAt && asksForRefresh(now: now)
        ? .useAndRefresh(current) : .use(current)
    }
    let stale = current.flatMap {
      now < $0.expiresAt.addingTimeInterval(limits.staleSeconds) ? $0 : nil
    }
    if let stale, hasBackground, hasFailed(since: stale.refreshAt) {
      // The provider is down and we have keys: no caller waits for the next attempt.
      return asksForRefresh(now: now) ? .useAndRefresh(stale) : .use(stale)
    }
    if isInFlight { return .wait }
    if let failure, isWithin(limits.retrySeconds, failure.at, now) {
      return stale.map { .use($0) } ?? .refuse(failure.reason)
    }
    isInFlight = true
    return .fetch(.all)
  }

  /// Newer keys than those of `generation`, which don't contain the key that a token names.
  ///
  /// ``Action/refuse(_:)`` means that no newer keys are available now: the token stays rejected.
  package mutating func keys(after generation: Int, now: Date) -> Action {
    guard let current else { return .refuse(.noUsableKey) }
    if current.generation > generation { return .use(current) }
    if isInFlight { return .wait }
    let window = unknownKeyWindow.flatMap {
      isWithin(limits.unknownKeyWindowSeconds, $0.openedAt, now) ? $0 : nil
    }
    if let window, window.isClosed || window.fetches >= limits.unknownKeyFetches {
      return .refuse(.noUsableKey)
    }
    if let failure, isWithin(limits.retrySeconds, failure.at, now) {
      return .refuse(failure.reason)
    }
    unknownKeyWindow = UnknownKeyWindow(
      openedAt: window?.openedAt ?? now, fetches: (window?.fetches ?? 0) + 1)
    isInFlight = true
    return .fetch(.keys(current.metadata))
  }

  /// Begins the background refresh that an action requested, unless it is no longer needed.
  package mutating func beginRefresh(now: Date) -> Fetch? {
    guard !isInFlight, let current, now >= current.refreshAt else { return nil }
    isInFlight = true
    return .all
  }

  package mutating func fetched(_ snapshot: KeySnapshot) {
    var snapshot = snapshot
    snapshot.generation = (current?.generation ?? 0) + 1
    if let current, !snapshot.keys.hasSameKeys(as: current.keys) {
      unknownKeyWindow?.isClosed = false
    }
    current = snapshot
    failure = nil
    refreshAskedAt = nil
    isInFlight = false
  }

  package mutating func failed(_ reason: RemoteKeyFailure, now: Date) {
    failure = (reason, now)
    isInFlight = false
  }

  /// The fetch was cancelled, which says nothing about the provider. The window for unknown keys
  /// stays closed: callers that are cancelled must not open it.
  package mutating func abandoned() { isInFlight = false }

  private mutating func asksForRefresh(now: Date) -> Bool {
    guard !isInFlight else { return false }
    if let failure, isWithin(limits.retrySeconds, failure.at, now) { return false }
    if let refreshAskedAt, isWithin(limits.retrySeconds, refreshAskedAt, now) { return false }
    refreshAskedAt = now
    return true
  }

  private func hasFailed(since instant: Date) -> Bool {
    failure.map { $0.at >= instant } ?? false
  }

  /// Absolute, so that a clock that was set back doesn't make a window longer.
  private func isWithin(_ seconds: TimeInterval, _ instant: Date, _ now: Date) -> Bool {
    abs(now.timeIntervalSince(instant)) < seconds
  }
}
