package import struct Foundation.Date
package import GatehouseProtocol

/// What an operator does with entries of the outbox.
package struct Outbox: Sendable {
  private let store: any Store

  package init(store: any Store) { self.store = store }

  /// Makes an entry due now, whether it waits or was given up. The time after which it is given up begins
  /// again, except for an email, whose code or notice expires at a fixed time.
  ///
  /// - Returns: False if the entry doesn't exist.
  package func retry(_ id: OutboxID, now: Date) async throws -> Bool {
    try await store.write { transaction in
      guard let entry = try transaction.outboxEntry(id) else { return false }
      try transaction.restart(entry, now: now)
      return true
    }
  }

  /// ``retry(_:now:)`` for every entry that was given up.
  ///
  /// - Parameter project: Only its entries; nil: those of all.
  /// - Returns: How many there were.
  package func retryFailed(of project: ProjectID? = nil, now: Date) async throws -> Int {
    var count = 0
    var position: Int64?
    repeat {
      let start = position
      let (restarted, end) = try await store.write { transaction in
        let page = try transaction.outboxPage(after: start, limit: 200)
        let failed = page.entries.filter { entry in
          entry.failedAt != nil && (project.map { $0 == entry.project } ?? true)
        }
        for entry in failed { try transaction.restart(entry, now: now) }
        return (failed.count, page.position)
      }
      count += restarted
      position = end
    } while position != nil
    return count
  }

  /// Deletes an entry without doing its work.
  ///
  /// - Returns: False if the entry doesn't exist.
  package func drop(_ id: OutboxID) async throws -> Bool {
    try await store.write { transaction in
      guard let entry = try transaction.outboxEntry(id) else { return false }
      // The work is lost: the log says who decided that.
      try transaction.recordSetting(
        SettingName("outbox entry", id.text), .deleted,
        details: ["kind": entry.task.kind.rawValue], in: entry.project)
      return try transaction.deleteOutboxEntry(id)
    }
  }
}

extension Transaction {
  fileprivate func restart(_ entry: OutboxEntry, now: Date) throws {
    var entry = entry
    entry.dueAt = now
    entry.attempts = 0
    entry.retriedAt = now
    entry.failedAt = nil
    try update(entry)
  }
}
