import Foundation
import GatehouseServer
import Synchronization
import Testing

@Suite struct StoreReadinessTests {
  private static let start = Date(timeIntervalSince1970: 1_800_000_000)
  private static let full = StoreError.unavailable("the disk is full")

  @Test func `after a write, none follows for a second`() async throws {
    let store = CountingStore()
    let readiness = StoreReadiness(store, isShared: false)
    for seconds in [0, 0.25, 0.75] { try await readiness.check(now: Self.start + seconds) }
    #expect(store.writes == 1)
    try await readiness.check(now: Self.start + 1)
    #expect(store.writes == 2)
  }

  @Test func `after a failed write, none follows for a second, and the store isn't ready`()
    async throws
  {
    let store = CountingStore()
    let readiness = StoreReadiness(store, isShared: false)
    store.failure = Self.full
    for seconds in [0, 0.25, 0.75] {
      await #expect(throws: Self.full) { try await readiness.check(now: Self.start + seconds) }
    }
    #expect(store.writes == 1)
    store.failure = nil
    try await readiness.check(now: Self.start + 1)
    #expect(store.writes == 2)
    try await readiness.check(now: Self.start + 1.25)
    #expect(store.writes == 2)
  }

  @Test func `a store that has met a damage isn't ready, although it can read and write`()
    async throws
  {
    let store = CountingStore()
    let readiness = StoreReadiness(store, isShared: false)
    try await readiness.check(now: Self.start)
    store.fault = .damaged("the file is damaged: restore a backup")
    await #expect(throws: StoreError.unavailable("the file is damaged: restore a backup")) {
      try await readiness.check(now: Self.start + 2)
    }
    #expect(store.writes == 1)
  }

  @Test func `while servers share a database that is out of reach, they stay ready for a minute`()
    async throws
  {
    let store = CountingStore()
    let readiness = StoreReadiness(store, isShared: true)
    let start = ContinuousClock.now
    try await readiness.check(now: Self.start, instant: start)
    store.unreachableSince = start
    for seconds in [1, 60] {
      try await readiness.check(now: Self.start, instant: start + .seconds(seconds))
    }
    await #expect(throws: StoreError.unavailable("this server doesn't reach the database")) {
      try await readiness.check(now: Self.start, instant: start + .seconds(61))
    }
    store.unreachableSince = nil
    try await readiness.check(now: Self.start, instant: start + .seconds(61))
    #expect(store.writes == 0)
  }

  @Test func `a call during a write doesn't write`() async throws {
    let store = CountingStore()
    let readiness = StoreReadiness(store, isShared: false)
    store.during = { try await readiness.check(now: Self.start) }
    try await readiness.check(now: Self.start)
    #expect(store.writes == 1)
  }
}

/// Counts writes, and runs none.
private final class CountingStore: Store {
  private struct State {
    var writes = 0
    var failure: StoreError?
    var fault: StoreError?
    var unreachableSince: ContinuousClock.Instant?
    var during: (@Sendable () async throws -> Void)?
  }

  private let state = Mutex(State())

  var writes: Int { state.withLock { $0.writes } }

  /// The error of each write.
  var failure: StoreError? {
    get { state.withLock { $0.failure } }
    set { state.withLock { $0.failure = newValue } }
  }

  var fault: StoreError? {
    get { state.withLock { $0.fault } }
    set { state.withLock { $0.fault = newValue } }
  }

  var unreachableSince: ContinuousClock.Instant? {
    get { state.withLock { $0.unreachableSince } }
    set { state.withLock { $0.unreachableSince = newValue } }
  }

  /// Runs once, within the next write.
  var during: (@Sendable () async throws -> Void)? {
    get { state.withLock { $0.during } }
    set { state.withLock { $0.during = newValue } }
  }

  func write<Result: Sendable>(
    _ body: @escaping @Sendable (Transaction) throws -> Result
  ) async throws -> Result {
    let (failure, work) = state.withLock { state in
      defer { state.during = nil }
      state.writes += 1
      return (state.failure, state.during)
    }
    try await work?()
    if let failure { throw failure }
    guard let nothing = () as? Result else { throw StoreError.closed }
    return nothing
  }

  func read<Result: Sendable>(
    _ body: @escaping @Sendable (Transaction) throws -> Result
  ) async throws -> Result {
    throw StoreError.closed
  }

  func changeCounter() async throws -> Int64 { 0 }

  func close() async {}
}
