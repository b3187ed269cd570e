package import GatehouseModel

package import struct Foundation.Date

/// The queue of work that follows from committed transactions: see ``OutboxEntry``.
package protocol OutboxRecords {
  /// Adds an entry at the end of the queue.
  func enqueue(_ entry: OutboxEntry) throws

  /// Claims at most `limit` selected entries that are due and whose order key has no earlier live entry, and
  /// counts an attempt for each. No other caller gets an entry before the end of its lease. At most
  /// ``OutboxSelection/limitPerReceiver`` entries are claimed for one ``OutboxReceiver``, and for one project
  /// what ``OutboxSelection/shares`` allow.
  ///
  /// An entry that can't be decrypted is given up instead. So is an entry that has expired, unless it was
  /// never attempted: then one attempt is made, because the server may have been stopped for long. An entry
  /// that only a newer version can read is postponed (``OutboxBackoff/nextLook(atEntryOf:now:)``), so that a
  /// server of that version gets it.
  func claimOutboxEntries(
    _ selection: OutboxSelection, now: Date, leases: OutboxLeases, limit: Int
  ) throws -> [OutboxEntry]

  /// Whether ``claimOutboxEntries(_:now:leases:limit:)`` would find an entry, to claim it, postpone it
  /// or give it up.
  func hasDueOutboxEntry(_ selection: OutboxSelection, now: Date) throws -> Bool

  /// Stores the entry's `dueAt`, `attempts`, `lastError`, `retriedAt` and `failedAt`. No effect if the entry
  /// doesn't exist.
  func update(_ entry: OutboxEntry) throws

  /// Stores the result of an attempt: the entry's `dueAt`, `lastError` and `failedAt`.
  ///
  /// - Parameter claim: The entry as it was claimed. By its `attempts` and the end of its lease the store
  ///   recognises a later claim.
  /// - Returns: False, and nothing is stored, if the entry was claimed again, was restarted by an operator,
  ///   or doesn't exist.
  func recordAttempt(_ entry: OutboxEntry, of claim: OutboxEntry) throws -> Bool

  /// Deletes an entry whose work is done.
  ///
  /// - Returns: False, and nothing is deleted, in the cases of ``recordAttempt(_:of:)``.
  func finishAttempt(of claim: OutboxEntry) throws -> Bool

  func outboxEntry(_ id: OutboxID) throws -> OutboxEntry?

  /// At most `limit` entries, oldest first; with ``OutboxFilter/onlyFailed`` in the order in which they
  /// were given up. Entries that can't be read are left out.
  func outboxEntries(_ filter: OutboxFilter, limit: Int) throws -> [OutboxEntry]

  /// At most `limit` live entries with this order key, oldest first.
  func liveOutboxEntries(
    withOrderKey orderKey: String, limit: Int, in project: ProjectID
  ) throws -> [OutboxEntry]

  /// How many entries of each kind are live, and how many were given up.
  func countOutbox() throws -> [OutboxCount]

  /// Removes at most `limit` entries that were given up before the time; returns how many were
  /// removed.
  func sweepOutbox(failedBefore: Date, limit: Int) throws -> Int

  /// - Returns: False if the entry doesn't exist.
  func deleteOutboxEntry(_ id: OutboxID) throws -> Bool

  /// At most `limit` entries in the order in which they were stored, after the one at `position`. Those
  /// that can't be read are left out.
  ///
  /// - Returns: The entries, and the position of the last one; nil at the end.
  func outboxPage(after position: Int64?, limit: Int) throws -> (
    entries: [OutboxEntry], position: Int64?
  )

  /// Encrypts the entry's task again, under the current key.
  func reseal(_ entry: OutboxEntry) throws
}

/// Which entries a worker claims.
package struct OutboxSelection: Sendable {
  package enum Kinds: Sendable {
    case all
    case only(OutboxTask.Kind)
    /// All others, including kinds that this version doesn't know.
    case except([OutboxTask.Kind])
  }

  package let kinds: Kinds
  /// Receivers for which the worker already executes as many entries as it may. No more entries are
  /// claimed for them.
  package var busy: Set<OutboxReceiver>
  /// The maximum number of entries for one receiver that are claimed at once.
  package var limitPerReceiver: Int
  /// The entries that the worker already executes, by project: a project with many receivers that don't
  /// respond has no more than its share. Nil: a project has no limit.
  package var shares: FairShares<ProjectID>?

  package init(
    _ kinds: Kinds, busy: Set<OutboxReceiver> = [], limitPerReceiver: Int = .max,
    shares: FairShares<ProjectID>? = nil
  ) {
    self.kinds = kinds
    self.busy = busy
    self.limitPerReceiver = limitPerReceiver
    self.shares = shares
  }

  package static let all = OutboxSelection(.all)
}

package struct OutboxFilter: Sendable {
  package var project: ProjectID?
  /// Only entries that were given up.
  package var onlyFailed: Bool
  /// Only entries of this kind.
  package var kind: OutboxTask.Kind?

  package init(project: ProjectID? = nil, onlyFailed: Bool = false) {
    self.project = project
    self.onlyFailed = onlyFailed
  }
}

package struct OutboxCount: Hashable, Sendable {
  package let kind: OutboxTask.Kind
  package let live: Int
  package let failed: Int
  /// When the oldest live entry was stored.
  package let oldestAt: Date?

  package init(kind: OutboxTask.Kind, live: Int, failed: Int, oldestAt: Date?) {
    self.kind = kind
    self.live = live
    self.failed = failed
    self.oldestAt = oldestAt
  }
}
