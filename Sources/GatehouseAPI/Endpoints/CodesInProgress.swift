import GatehouseModel
import Synchronization

/// The authorization codes whose tokens this server is revoking, each with the account that sent it.
///
/// A client that loses its connection may repeat the request before the first one has ended. A code
/// works only once, so the second request waits for the first.
final class CodesInProgress: Sendable {
  struct Use: Hashable, Sendable {
    let project: ProjectID
    /// The digest of the record that the code's token was revoked: of provider, account and code.
    let digest: [UInt8]
  }

  private let uses = Mutex<Set<Use>>([])

  /// Runs `body` when no other request uses the code, or after fifteen seconds.
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
