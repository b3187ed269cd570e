import Foundation
import GatehouseTokens
import Synchronization

/// One issuer's key set: a ``ServerKeyState``, and the fetches that it asks for.
///
/// A caller fetches for all who wait. One that is cancelled finishes its fetch first, within the
/// transport's time: what it asked for is not its alone.
final class ServerKeys: Sendable {
  private struct Table {
    var state: ServerKeyState
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  /// Room for a hundred keys of 4096 bits.
  static let maximumBytes = 256 * 1024
  /// The server itself allows an hour.
  static let lifetime = KeyLifetime(
    minimumSeconds: 60, maximumSeconds: 60 * 60, defaultSeconds: 60 * 60)

  private let url: URL
  private let timeout: Duration
  private let transport: any ServerTransport
  private let now: @Sendable () -> Date
  private let table: Mutex<Table>

  init(
    url: URL, timeout: Duration, staleSeconds: Int, transport: any ServerTransport,
    now: @escaping @Sendable () -> Date
  ) {
    self.url = url
    self.timeout = timeout
    self.transport = transport
    self.now = now
    var limits = KeyCacheLimits()
    limits.staleSeconds = Double(staleSeconds)
    table = Mutex(Table(state: ServerKeyState(limits: limits, unknownKey: .noUsableKey)))
  }

  /// The keys; from memory unless there are none that may be used.
  func keys() async throws(ServerFault) -> ServerKeySet {
    try await settle { $0.keys(now: $1, hasBackground: false) }
  }

  /// Newer keys than `snapshot`, or nil if there are none to be had now.
  func keys(after snapshot: ServerKeySet) async -> ServerKeySet? {
    try? await settle { $0.keys(after: snapshot.generation, now: $1) }
  }

  /// Asks the state until it gives keys or refuses, and does what it wants in between.
  private func settle(
    _ ask: (inout ServerKeyState, Date) -> ServerKeyState.Action
  ) async throws(ServerFault) -> ServerKeySet {
    // Every turn but the last ends a flight, and a flight leaves keys or a failure.
    while true {
      let now = now()
      switch table.withLock({ ask(&$0.state, now) }) {
      case .use(let snapshot), .useAndRefresh(let snapshot): return snapshot
      case .refuse(let fault): throw fault
      case .wait: await landing()
      case .fetch: await fly()
      }
    }
  }

  private func fly() async {
    let outcome: Result<(KeySet, Int), ServerFault>
    do throws(ServerFault) {
      outcome = .success(try await fetch())
    } catch {
      outcome = .failure(error)
    }
    let now = now()
    let waiters = table.withLock { table in
      switch outcome {
      case .success(let (keys, seconds)):
        table.state.fetched(
          ServerKeySet(keys: keys, fetchedAt: now, lifetimeSeconds: seconds))
      case .failure(let fault): table.state.failed(fault, now: now)
      }
      defer { table.waiters = [] }
      return table.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  private func fetch() async throws(ServerFault) -> (KeySet, Int) {
    let response = try await transport.send(
      ServerRequest(url: url, maximumBytes: Self.maximumBytes, timeout: timeout))
    guard response.status == 200 else { throw .status(response.status) }
    // A transport of the app's own may have read more.
    guard response.body.count <= Self.maximumBytes else { throw .tooLarge }
    guard let keys = try? KeySet(jwks: Array(response.body)) else { throw .malformed }
    // Keys that can't be used must not push out those that can.
    guard !keys.keys.isEmpty else { throw .noUsableKey }
    return (keys, Self.lifetime.seconds(cacheControl: response.cacheControl, age: response.age))
  }

  /// Waits until no flight is under way: at most the transport's time.
  private func landing() async {
    await withCheckedContinuation { continuation in
      let isInFlight = table.withLock { table in
        if table.state.isInFlight { table.waiters.append(continuation) }
        return table.state.isInFlight
      }
      if !isInFlight { continuation.resume() }
    }
  }
}
