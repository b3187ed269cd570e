import Foundation
import GatehouseTokens
import GatehouseProtocol

/// One issuer's key set: a ``ServerKeyState``, and the fetches that it asks for.
///
/// One caller fetches for all callers that wait. If its task is cancelled, it still finishes the
/// fetch, within the timeout, because the other callers need the result.
final class ServerKeys: Sendable {
  private struct Table {
    var state: ServerKeyState
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  /// Enough for more than a hundred RSA keys of 4096 bits.
  static let maximumBytes = 256 * 1024
  /// The server's own `max-age` is an hour.
  static let lifetime = KeyLifetime(
    minimumSeconds: 60, maximumSeconds: 60 * 60, defaultSeconds: 60 * 60)

  private let url: URL
  private let timeout: TimeInterval
  private let transport: any ServerTransport
  private let now: @Sendable () -> Date
  private let table: Locked<Table>

  init(
    url: URL, timeout: TimeInterval, staleSeconds: Int, transport: any ServerTransport,
    now: @escaping @Sendable () -> Date
  ) {
    self.url = url
    self.timeout = timeout
    self.transport = transport
    self.now = now
    var limits = KeyCacheLimits()
    limits.staleSeconds = Double(staleSeconds)
    table = Locked(Table(state: ServerKeyState(limits: limits, unknownKey: .noUsableKey)))
  }

  /// The keys, from memory if they may still be used.
  func keys() async throws(ServerFault) -> ServerKeySet {
    try await settle { $0.keys(now: $1, hasBackground: false) }
  }

  /// Newer keys than `snapshot`, or nil if they can't be fetched now.
  func keys(after snapshot: ServerKeySet) async -> ServerKeySet? {
    try? await settle { $0.keys(after: snapshot.generation, now: $1) }
  }

  /// Asks the state until it returns keys or refuses, and executes its actions in between.
  private func settle(
    _ ask: (inout ServerKeyState, Date) -> ServerKeyState.Action
  ) async throws(ServerFault) -> ServerKeySet {
    // The loop ends: each turn before the last one waits for the end of a fetch, and then there are
    // keys or an error.
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
    // A custom transport may have read more.
    guard response.body.count <= Self.maximumBytes else { throw .tooLarge }
    guard let keys = try? KeySet(jwks: Array(response.body)) else { throw .malformed }
    // A set without usable keys must not replace usable keys.
    guard !keys.keys.isEmpty else { throw .noUsableKey }
    return (keys, Self.lifetime.seconds(cacheControl: response.cacheControl, age: response.age))
  }

  /// Waits until no fetch is in progress. The timeout of the fetch limits the wait.
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
