import Synchronization

/// One flow at a time: a second is refused, not queued, since a sheet that opens after another was
/// closed would be nobody's wish.
package final class Turn: Sendable {
  private let isTaken = Mutex(false)

  package init() {}

  /// - Throws: `refusal`, if somebody has the turn.
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
