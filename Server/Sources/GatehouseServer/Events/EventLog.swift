package import Foundation
package import GatehouseProtocol
package import GatehouseTokens

/// Lets an operator read and verify the event log, and removes old events.
package struct EventLog: Sendable {
  private let store: any Store
  private static let page = 500

  package init(store: any Store) { self.store = store }

  /// The latest events, newest first.
  package func latest(
    _ filter: EventFilter, limit: Int, in project: ProjectID?
  ) async throws -> [EventLink] {
    try await store.read {
      try $0.latestEventLinks(filter, before: .max, limit: limit, in: project)
    }
  }

  /// Passes the links of a chain to `body`, oldest first. Reads each page in a transaction of its own:
  /// this is safe, because links are never changed after they were added.
  package func forEach(
    of project: ProjectID?, _ body: (EventLink) throws -> Void
  ) async throws {
    var last: Int64 = 0
    while true {
      let after = last
      let page = try await store.read {
        try $0.eventLinks(of: project, after: after, limit: Self.page)
      }
      for link in page { try body(link) }
      guard page.count == Self.page, let end = page.last?.number else { return }
      last = end
    }
  }

  /// Verifies a project's chain and its checkpoints.
  ///
  /// - Parameters:
  ///   - keys: The key set of the ring `eventLog`.
  ///   - known: Checkpoints that were kept outside the database. Their signatures must be verified already.
  ///     If the chain was cut off and continued, it differs from them.
  package func verify(
    _ project: ProjectID?, keys: KeySet, known: [EventCheckpoint] = []
  ) async throws -> EventChainReport {
    let (stored, end) = try await store.read { transaction in
      (try transaction.eventCheckpoints(of: project), try transaction.chainEnd(of: project))
    }
    var check = EventChainCheck(checkpoints: known)
    for checkpoint in stored { check.add(checkpoint, keys: keys) }
    try await forEach(of: project) { check.add($0) }
    return check.finish(expecting: end)
  }

  /// Removes events that are older than `limit`: of each chain those up to the next checkpoint that was
  /// signed before `limit`. To remove all of them, call the function again until it removes none.
  ///
  /// A transaction never removes only a part of the events before a checkpoint, because the first event
  /// that is left can be verified only with a checkpoint at the event before it. So the log can be verified
  /// after each call, also if the server ends there.
  ///
  /// - Returns: How many were removed, of all chains together.
  package func sweep(olderThan limit: Date) async throws -> Int {
    var removed = 0
    for project in try await store.read({ try $0.chains() }) {
      removed += try await store.write { transaction in
        guard
          let checkpoint = try transaction.firstEventCheckpoint(of: project, before: limit)
        else { return 0 }
        return try transaction.sweepEvents(of: project, upTo: checkpoint.end.number)
      }
    }
    return removed
  }
}
