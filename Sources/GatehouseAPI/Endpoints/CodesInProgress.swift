import Crypto
import GatehouseModel
import Synchronization

/// The authorization codes whose tokens this server is revoking, each with the account that sent it.
///
/// A client that loses its connection may repeat the request before the first one has ended. A code
/// works only once, so the second request waits for the first.
final class CodesInProgress: Sendable {
  /// Each wait takes 100 milliseconds, so all together take fifteen seconds.
  private static let maximumWaits = 150

  struct Use: Hashable, Sendable {
    /// The SHA-256 of the code; the code itself isn't kept.
    private let digest: [UInt8]
    private let project: ProjectID
    private let uid: UID

    init(code: String, project: ProjectID, uid: UID) {
      digest = Array(SHA256.hash(data: Array(code.utf8)))
      self.project = project
      self.uid = uid
    }
  }

  private let uses = Mutex<Set<Use>>([])

  /// Runs `body` when no other request uses the code, or after fifteen seconds.
  func alone<Result: Sendable>(
    with use: Use, _ body: () async throws -> Result
  ) async throws -> Result {
    var isOurs = begin(use)
    for _ in 0..<Self.maximumWaits where !isOurs {
      try await Task.sleep(for: .milliseconds(100))
      isOurs = begin(use)
    }
    defer { if isOurs { end(use) } }
    return try await body()
  }

  private func begin(_ use: Use) -> Bool { uses.withLock { $0.insert(use).inserted } }
  private func end(_ use: Use) { _ = uses.withLock { $0.remove(use) } }
}
