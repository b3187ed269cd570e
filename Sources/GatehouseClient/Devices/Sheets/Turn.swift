import GatehouseProtocol

/// Allows one flow at a time. A second one is refused, not queued: no user expects a new sheet to
/// open after closing another.
package final class Turn: Sendable {
  private let isTaken = Locked(false)

  package init() {}

  /// Whether a flow is in progress.
  package var isInProgress: Bool { isTaken.withLock { $0 } }

  /// - Throws: `refusal` if another flow is in progress.
  package func take<Result: Sendable, Failure: Error>(
    or refusal: Failure, _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let isOurs = isTaken.withLock { taken in
      defer { taken = true }
      return !taken
    }
    guard isOurs else { throw refusal }
    defer { isTaken.withLock { $0 = false } }
    return try await body()
  }
}
