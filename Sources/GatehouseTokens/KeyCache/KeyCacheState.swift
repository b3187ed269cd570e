public import struct Foundation.Date
public import struct Foundation.TimeInterval

/// Decides for one key set whether to use the cached keys, to fetch, to wait for a fetch, or to
/// refuse. Performs no request and reads no clock: the methods `keys` take the time and return an
/// action.
///
/// ```
///            ┌── fresh ───────────────► use
///            ├── past 80 % ───────────► use, and refresh in the background; without a background
///   keys ────┤                          one caller fetches, and the others use these
///            ├── expired, or none ────► one caller fetches, the others wait for it
///            └── a fetch failed ──────► use the expired keys for `staleSeconds`, then refuse
///   unknown kid ──────────────────────► fetch once per window; again at once only after a fetch
///                                       that brought other keys
/// ```
public struct KeyCacheState<Metadata: Sendable, Failure: Error>: Sendable {
  public typealias Keys = CachedKeySet<Metadata>

  /// What to fetch.
  public enum Fetch: Sendable {
    /// The metadata, if there is any, and the keys.
    case all
    /// The keys alone, from the URL in the metadata.
    case keys(Metadata?)
  }

  public enum Action: Sendable {
    case use(Keys)
    /// Use these keys, and call ``beginRefresh(now:)`` in the background.
    case useAndRefresh(Keys)
    /// The caller fetches, reports by `fetched`, `failed` or `abandoned`, and asks again.
    case fetch(Fetch)
    /// Another caller fetches. Ask again when that fetch has ended.
    case wait
    case refuse(Failure)
  }

  private struct UnknownKeyWindow: Sendable {
    let openedAt: Date
    var fetches = 1
    /// Whether no fetch has brought other keys since the last unknown key of this window.
    var isClosed = true
  }

  public private(set) var isInFlight = false
  private let limits: KeyCacheLimits
  private let unknownKey: Failure
  private var current: Keys?
  private var failure: (reason: Failure, at: Date)?
  private var unknownKeyWindow: UnknownKeyWindow?
  private var refreshAskedAt: Date?

  /// - Parameter unknownKey: The refusal of ``keys(after:now:)`` if newer keys may not be fetched now.
  public init(limits: KeyCacheLimits, unknownKey: Failure) {
    self.limits = limits
    self.unknownKey = unknownKey
  }

  /// The keys to verify with.
  ///
  /// - Parameter hasBackground: Whether a background task performs ``Action/useAndRefresh(_:)``.
  public mutating func keys(now: Date, hasBackground: Bool) -> Action {
    if let current, isWithin(Double(current.lifetimeSeconds), current.fetchedAt, now) {
      guard now >= current.refreshAt, mayRefresh(now: now) else { return .use(current) }
      return refresh(current, now: now, hasBackground: hasBackground)
    }
    let stale = current.flatMap {
      isWithin(Double($0.lifetimeSeconds) + limits.staleSeconds, $0.fetchedAt, now) ? $0 : nil
    }
    // The last fetch failed. While there are keys, at most one caller waits for the next fetch.
    if let stale, let failure, failure.at >= stale.refreshAt {
      guard mayRefresh(now: now) else { return .use(stale) }
      return refresh(stale, now: now, hasBackground: hasBackground)
    }
    if isInFlight { return .wait }
    if let failure, isWithin(limits.retrySeconds, failure.at, now) {
      return stale.map { .use($0) } ?? .refuse(failure.reason)
    }
    return begin(.all)
  }

  /// Newer keys than those of `generation`. Call it if these lack the key that a token names.
  ///
  /// ``Action/refuse(_:)`` means that the token stays rejected.
  public mutating func keys(after generation: Int, now: Date) -> Action {
    guard let current else { return .refuse(unknownKey) }
    if current.generation > generation { return .use(current) }
    if isInFlight { return .wait }
    let window = unknownKeyWindow.flatMap {
      isWithin(limits.unknownKeyWindowSeconds, $0.openedAt, now) ? $0 : nil
    }
    if let window, window.isClosed || window.fetches >= limits.unknownKeyFetches {
      return .refuse(unknownKey)
    }
    if let failure, isWithin(limits.retrySeconds, failure.at, now) {
      return .refuse(failure.reason)
    }
    unknownKeyWindow = UnknownKeyWindow(
      openedAt: window?.openedAt ?? now, fetches: (window?.fetches ?? 0) + 1)
    return begin(.keys(current.metadata))
  }

  /// Begins the refresh that ``Action/useAndRefresh(_:)`` asked for; nil if it isn't needed any more.
  public mutating func beginRefresh(now: Date) -> Fetch? {
    guard !isInFlight, let current, now >= current.refreshAt else { return nil }
    isInFlight = true
    return .all
  }

  /// Whether there are usable keys that ``keys(now:hasBackground:)`` may still return. A set without
  /// any must not replace them: report it with ``failed(_:now:)``.
  public func hasUsableKeys(now: Date) -> Bool {
    guard let current, !current.keys.keys.isEmpty else { return false }
    return isWithin(
      Double(current.lifetimeSeconds) + limits.staleSeconds, current.fetchedAt, now)
  }

  public mutating func fetched(_ keys: Keys) {
    var keys = keys
    keys.generation = (current?.generation ?? 0) + 1
    if let current, !keys.keys.hasSameKeys(as: current.keys) {
      unknownKeyWindow?.isClosed = false
    }
    current = keys
    failure = nil
    refreshAskedAt = nil
    isInFlight = false
  }

  public mutating func failed(_ reason: Failure, now: Date) {
    failure = (reason, now)
    isInFlight = false
  }

  /// The fetch was cancelled, which says nothing about the server. The window for unknown keys stays
  /// closed: a client must not open it by closing its connection.
  public mutating func abandoned() { isInFlight = false }

  private mutating func begin(_ fetch: Fetch) -> Action {
    isInFlight = true
    return .fetch(fetch)
  }

  private mutating func refresh(_ keys: Keys, now: Date, hasBackground: Bool) -> Action {
    guard hasBackground else { return begin(.all) }
    refreshAskedAt = now
    return .useAndRefresh(keys)
  }

  private func mayRefresh(now: Date) -> Bool {
    guard !isInFlight else { return false }
    if let failure, isWithin(limits.retrySeconds, failure.at, now) { return false }
    if let refreshAskedAt, isWithin(limits.retrySeconds, refreshAskedAt, now) { return false }
    return true
  }

  /// A clock that was set back must not make a period longer than `seconds`.
  private func isWithin(_ seconds: TimeInterval, _ instant: Date, _ now: Date) -> Bool {
    abs(now.timeIntervalSince(instant)) < seconds
  }
}

/// A key set as it was fetched. `Metadata` is the document that named its URL, such as an issuer's
/// discovery document; `Never` if the URL is configured.
public struct CachedKeySet<Metadata: Sendable>: Sendable {
  /// Nil if the URL of the keys is configured.
  public let metadata: Metadata?
  public let keys: KeySet
  public let fetchedAt: Date
  public let lifetimeSeconds: Int
  /// The number of this fetch, from 1; assigned by ``KeyCacheState``.
  public internal(set) var generation = 0

  public init(
    metadata: Metadata? = nil, keys: KeySet, fetchedAt: Date, lifetimeSeconds: Int
  ) {
    self.metadata = metadata
    self.keys = keys
    self.fetchedAt = fetchedAt
    self.lifetimeSeconds = lifetimeSeconds
  }

  public var expiresAt: Date { fetchedAt.addingTimeInterval(Double(lifetimeSeconds)) }

  /// From this time on the keys are fetched again, while these are still used.
  public var refreshAt: Date { fetchedAt.addingTimeInterval(Double(lifetimeSeconds) * 0.8) }
}

/// How a ``KeyCacheState`` limits requests, and how long it uses expired keys.
public struct KeyCacheLimits: Sendable {
  /// While fetches fail, keys are used for this time after they expire (`stale-if-error`, RFC 5861 §4).
  public var staleSeconds: TimeInterval = 24 * 60 * 60
  /// The time between a failed fetch and the next attempt.
  public var retrySeconds: TimeInterval = 30
  /// At most one fetch for unknown keys in this time, unless that fetch brought other keys.
  public var unknownKeyWindowSeconds: TimeInterval = 60
  /// The most fetches in one window. An issuer may rotate its keys twice in a minute, so a fetch that
  /// brought other keys allows another one. Only the issuer can cause more than one fetch.
  public var unknownKeyFetches = 4

  public init() {}
}
