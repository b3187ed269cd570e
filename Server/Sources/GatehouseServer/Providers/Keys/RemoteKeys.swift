import GatehouseTokens
import Logging
import Synchronization

import struct Foundation.Date

/// The providers' keys. ``RemoteKeyState`` decides for each source when to fetch; this type fetches.
///
/// While ``run()`` runs, it performs all fetches. This has two advantages: a sign-in never waits if
/// the keys in memory are valid, and a cancelled caller doesn't end a fetch for which others wait.
/// Without ``run()``, callers fetch the keys themselves.
final class RemoteKeys: Sendable {
  fileprivate struct Entry {
    var state: RemoteKeyState
    var waiters: [CheckedContinuation<Void, Never>] = []

    init(_ limits: KeyCacheLimits) {
      state = RemoteKeyState(limits: limits, unknownKey: .noUsableKey(count: 0, refused: []))
    }
  }

  fileprivate struct Table {
    var entries: [KeySource: Entry] = [:]
    var hasBackground = false
  }

  fileprivate struct Job: Sendable {
    var source: KeySource
    /// Nil for a refresh. It is skipped if it is no longer due.
    var fetch: RemoteKeyState.Fetch?
    var now: Date
  }

  /// The most sources in memory. Sources come from configuration and not from sign-ins, so an
  /// attacker can't reach this limit. At the limit, the sources without a fetch in progress are
  /// forgotten.
  fileprivate static let maximumSources = 4096

  private let fetcher: KeyFetcher
  private let limits: KeyCacheLimits
  private let logger: Logger
  private let table = Mutex(Table())
  // Unbounded, but it has at most one fetch and one queued refresh per source.
  private let jobs = AsyncStream.makeStream(of: Job.self)

  init(fetcher: KeyFetcher, limits: KeyCacheLimits, logger: Logger) {
    self.fetcher = fetcher
    self.limits = limits
    self.logger = logger
  }

  /// The keys of `source`: from memory if they haven't expired, otherwise fetched. There may be no
  /// usable key among them: see `RemoteKeySet.lack`.
  func keys(
    of source: KeySource, now: Date
  ) async throws(RemoteKeyFailure) -> RemoteKeySet {
    try await settle(source, now: now) { $0.keys(now: now, hasBackground: $1) }
  }

  /// Newer keys than `snapshot`, or nil if none are available now.
  func keys(of source: KeySource, after snapshot: RemoteKeySet, now: Date) async -> RemoteKeySet? {
    try? await settle(source, now: now) { state, _ in
      state.keys(after: snapshot.generation, now: now)
    }
  }

  /// Fetches in the background until the task is cancelled. Call it once.
  func run() async {
    table.withLock { $0.hasBackground = true }
    await withDiscardingTaskGroup { group in
      for await job in jobs.stream {
        group.addTask { await self.perform(job) }
      }
    }
    landAll()
  }

  // MARK: Fetches

  /// Repeats `ask` until it returns keys or a failure. In between, performs the actions that it
  /// returns.
  private func settle(
    _ source: KeySource, now: Date,
    _ ask: (inout RemoteKeyState, _ hasBackground: Bool) -> RemoteKeyState.Action
  ) async throws(RemoteKeyFailure) -> RemoteKeySet {
    // The loop ends: every turn except the last waits for a fetch, and a fetch ends with keys or
    // with a failure. If a fetch was cancelled, one of the waiting callers begins the next one.
    while true {
      let (action, hasBackground) = table.withLock { table in
        let hasBackground = table.hasBackground
        return (table.state(of: source, limits) { ask(&$0, hasBackground) }, hasBackground)
      }
      switch action {
      case .use(let snapshot): return snapshot
      case .useAndRefresh(let snapshot):
        jobs.continuation.yield(Job(source: source, fetch: nil, now: now))
        return snapshot
      case .refuse(let failure): throw failure
      case .wait: await landing(of: source)
      case .fetch(let fetch):
        let job = Job(source: source, fetch: fetch, now: now)
        if hasBackground {
          jobs.continuation.yield(job)
          await landing(of: source)
        } else {
          await perform(job)
          if Task.isCancelled { throw .outbound(.cancelled) }
        }
      }
    }
  }

  private func perform(_ job: Job) async {
    let begun = table.withLock { table in
      job.fetch ?? table.state(of: job.source, limits) { $0.beginRefresh(now: job.now) }
    }
    guard let fetch = begun else { return }
    do throws(RemoteKeyFailure) {
      let snapshot = try await fetcher.fetch(fetch, from: job.source, now: job.now)
      if let lack = snapshot.lack {
        logger.warning(
          "a provider's key set has no key that can verify an ID token",
          metadata: ["source": "\(job.source)", "reason": "\(lack)"])
      }
      land(job.source) { state in
        // Unusable keys must not replace usable ones.
        if let lack = snapshot.lack, state.hasUsableKeys(now: job.now) {
          state.failed(lack, now: job.now)
        } else {
          state.fetched(snapshot)
        }
      }
    } catch .outbound(.cancelled) {
      land(job.source) { $0.abandoned() }
    } catch {
      logger.warning(
        "could not fetch a provider's keys",
        metadata: ["source": "\(job.source)", "reason": "\(error)"])
      land(job.source) { $0.failed(error, now: job.now) }
    }
  }

  /// Waits until no fetch of `source` is in progress. The transport's time limits bound this wait.
  /// A cancelled caller waits too.
  private func landing(of source: KeySource) async {
    await withCheckedContinuation { continuation in
      let isInFlight = table.withLock { table in
        guard table.entries[source]?.state.isInFlight == true else { return false }
        table.entries[source]?.waiters.append(continuation)
        return true
      }
      if !isInFlight { continuation.resume() }
    }
  }

  private func land(_ source: KeySource, _ report: (inout RemoteKeyState) -> Void) {
    let waiters = table.withLock { table in
      table.state(of: source, limits) { report(&$0) }
      defer { table.entries[source]?.waiters = [] }
      return table.entries[source]?.waiters ?? []
    }
    for waiter in waiters { waiter.resume() }
  }

  /// The background task has ended: callers perform its remaining jobs themselves.
  private func landAll() {
    let sources = table.withLock { table in
      table.hasBackground = false
      return table.entries.filter { $0.value.state.isInFlight }.map(\.key)
    }
    for source in sources { land(source) { $0.abandoned() } }
  }
}

extension RemoteKeys.Table {
  fileprivate mutating func state<Result>(
    of source: KeySource, _ limits: KeyCacheLimits,
    _ body: (inout RemoteKeyState) -> Result
  ) -> Result {
    if entries[source] == nil {
      if entries.count >= RemoteKeys.maximumSources {
        entries = entries.filter { $0.value.state.isInFlight }
      }
      entries[source] = RemoteKeys.Entry(limits)
    }
    return body(&entries[source, default: RemoteKeys.Entry(limits)].state)
  }
}
