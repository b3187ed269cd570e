import GatehouseModel
import Synchronization

/// How many hashes one client may have waiting or running, so that nobody fills the queue alone.
final class ClientShares: Sendable {
  private let limit: Int
  /// Of clients that have any: as many as there are requests under way, at most.
  private let underWay = Mutex<[ClientAddress: Int]>([:])

  init(limit: Int) { self.limit = limit }

  /// - Throws: ``AccountsError/overloaded`` if the client has its share already.
  func run<Result: Sendable>(
    for client: ClientAddress, _ work: () async throws -> Result
  ) async throws -> Result {
    guard admit(client) else { throw AccountsError.overloaded }
    defer { leave(client) }
    return try await work()
  }

  private func admit(_ client: ClientAddress) -> Bool {
    underWay.withLock { underWay in
      let count = underWay[client, default: 0]
      guard count < limit else { return false }
      underWay[client] = count + 1
      return true
    }
  }

  private func leave(_ client: ClientAddress) {
    underWay.withLock { underWay in
      let count = underWay[client, default: 1] - 1
      underWay[client] = count == 0 ? nil : count
    }
  }
}
