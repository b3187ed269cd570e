import GatehouseProtocol
import Synchronization

/// Limits how much work each owner may have waiting or running at once, so that no owner uses the
/// whole capacity. An owner is a client, for password hashes, or a project, for calls of its webhook or
/// its blocking functions.
package final class Shares<Owner: Hashable & Sendable>: Sendable {
  private let limit: Int
  /// Contains only owners that have work: at most as many as there are requests in progress.
  private let underWay = Mutex<[Owner: Int]>([:])

  package init(limit: Int) { self.limit = limit }

  /// - Throws: ``AccountsError/overloaded`` if the owner has reached the limit, and what `work` throws.
  package func run<Result: Sendable>(
    for owner: Owner, _ work: () async throws -> Result
  ) async throws -> Result {
    guard admit(owner) else { throw AccountsError.overloaded }
    defer { leave(owner) }
    return try await work()
  }

  private func admit(_ owner: Owner) -> Bool {
    underWay.withLock { underWay in
      let count = underWay[owner, default: 0]
      guard count < limit else { return false }
      underWay[owner] = count + 1
      return true
    }
  }

  private func leave(_ owner: Owner) {
    underWay.withLock { underWay in
      let count = underWay[owner, default: 1] - 1
      underWay[owner] = count == 0 ? nil : count
    }
  }
}

/// Limits how many password hashes a client, its site and a project may have waiting or running, so that
/// neither an attacker with many addresses nor one project's users keep all others waiting.
struct HashingShares: Sendable {
  private let clients: Shares<ClientAddress>
  private let sites: Shares<ClientAddress>
  private let projects: Shares<ProjectID>

  init(perClient: Int) {
    clients = Shares(limit: perClient)
    sites = Shares(limit: perClient * 2)
    projects = Shares(limit: perClient * 3)
  }

  /// - Throws: ``AccountsError/overloaded`` if a limit is reached, and what `work` throws.
  func run<Result: Sendable>(
    for client: ClientAddress, in project: ProjectID, _ work: () async throws -> Result
  ) async throws -> Result {
    try await projects.run(for: project) {
      try await sites.run(for: client.site ?? client) { try await clients.run(for: client, work) }
    }
  }
}
