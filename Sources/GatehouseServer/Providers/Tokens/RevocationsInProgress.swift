import GatehouseModel
import Synchronization

/// The requests to revoke a token or code that this server is executing.
///
/// A client that loses its connection may repeat the request before the first one has ended. A code
/// works only once, so the second request waits for the first.
final class RevocationsInProgress: Sendable {
  struct Use: Hashable, Sendable {
    let project: ProjectID
    let request: RevocationRequest
  }

  private let uses = Mutex<Set<Use>>([])

  /// Runs `body` when no other request is the same, or after fifteen seconds.
  func alone<Result: Sendable>(
    with use: Use, _ body: () async throws -> Result
  ) async throws -> Result {
    let isOurs = try await Polling.first { begin(use) ? true : nil } ?? false
    defer { if isOurs { end(use) } }
    return try await body()
  }

  private func begin(_ use: Use) -> Bool { uses.withLock { $0.insert(use).inserted } }
  private func end(_ use: Use) { _ = uses.withLock { $0.remove(use) } }
}
