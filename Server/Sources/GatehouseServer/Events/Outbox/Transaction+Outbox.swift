package import Foundation
package import GatehouseProtocol

extension Transaction {
  /// Adds an entry at the end of the queue.
  package func enqueue(_ entry: OutboxEntry) throws {
    try connection.run(
      OutboxSQL.insert,
      [
        .integer(try existingKey(of: entry.project)), .text(entry.task.kind.rawValue),
        .text(entry.receiver.name),
      ] + OutboxColumn.allCases.map { try value($0, of: entry) })
  }

  private func value(_ column: OutboxColumn, of entry: OutboxEntry) throws -> SQLValue {
    switch column {
    case .id: .text(entry.id.text)
    case .orderKey: .text(entry.orderKey)
    case .task: .blob(try sealedTask(of: entry))
    case .createdAt: .time(entry.createdAt)
    case .dueAt: .time(entry.dueAt)
    case .attempts: .integer(Int64(entry.attempts))
    case .lastError: .optional(entry.lastError)
    case .retriedAt: .optional(entry.retriedAt)
    case .failedAt: .optional(entry.failedAt)
    }
  }

  /// Claims at most `limit` selected entries that are due and whose order key has no earlier live entry, and
  /// counts an attempt for each. No other caller gets an entry before the end of its lease. At most
  /// ``OutboxSelection/limitPerReceiver`` entries are claimed for one ``OutboxReceiver``, and for one project
  /// what ``OutboxSelection/shares`` allow.
  ///
  /// An entry that can't be decrypted is given up instead. So is an entry that has expired, unless it was
  /// never attempted: then one attempt is made, because the server may have been stopped for long. An entry
  /// that only a newer version can read is postponed (``OutboxBackoff/nextLook(atEntryOf:now:)``), so that a
  /// server of that version gets it.
  package func claimOutboxEntries(
    _ selection: OutboxSelection, now: Date, leases: OutboxLeases, limit: Int
  ) throws -> [OutboxEntry] {
    let found = try connection.all(
      OutboxSQL.claimable,
      [.time(now)] + selectionValues(selection) + [.integer(Int64(max(limit, 0)))]
    ) { try stored($0) }
    var taken: [OutboxReceiver: Int] = [:]
    var shares = selection.shares
    var generator = SystemRandomNumberGenerator()
    return try found.compactMap { found in
      var entry: OutboxEntry
      switch found {
      case .entry(let readable, _): entry = readable
      case .damaged(let id):
        try giveUp(id, because: "the entry is damaged", now: now)
        return nil
      case .ofNewerVersion(let id, let start):
        try postpone(id, since: start, now: now)
        return nil
      }
      // Perhaps the last attempt didn't end, because this very entry crashes the process.
      if entry.attempts > 0, entry.expiresAt <= now {
        let known = entry.lastError.map { "the last known error: \($0)" }
        try giveUp(
          entry.id.text,
          because: "expired; \(known ?? "the result of the last attempt is unknown")", now: now)
        return nil
      }
      guard taken[entry.receiver, default: 0] < selection.limitPerReceiver,
        shares?.take(for: entry.project) ?? true
      else { return nil }
      taken[entry.receiver, default: 0] += 1
      entry.attempts += 1
      entry.dueAt = now.addingTimeInterval(
        leases.seconds(for: entry.task.kind, attempt: entry.attempts, using: &generator))
      try connection.run(
        OutboxSQL.claim, .text(entry.id.text), .time(entry.dueAt), .integer(Int64(entry.attempts)))
      return entry
    }
  }

  private func giveUp(_ id: String, because reason: String, now: Date) throws {
    try connection.run(OutboxSQL.giveUp, .text(id), .time(now), .text(reason))
  }

  private func postpone(_ id: String, since start: Date, now: Date) throws {
    let reason = "only a newer version can read the entry: run that version of gatehouse"
    guard let dueAt = OutboxBackoff.nextLook(atEntryOf: start, now: now) else {
      return try giveUp(id, because: reason, now: now)
    }
    try connection.run(OutboxSQL.postpone, .text(id), .time(dueAt), .text(reason))
  }

  /// Whether ``claimOutboxEntries(_:now:leases:limit:)`` would find an entry, to claim it, postpone it
  /// or give it up.
  package func hasDueOutboxEntry(_ selection: OutboxSelection, now: Date) throws -> Bool {
    try connection.first(OutboxSQL.isDue, [.time(now)] + selectionValues(selection)) { _ in true }
      ?? false
  }

  /// Stores the entry's `dueAt`, `attempts`, `lastError`, `retriedAt` and `failedAt`. No effect if the entry
  /// doesn't exist.
  package func update(_ entry: OutboxEntry) throws {
    try connection.run(
      OutboxSQL.update, .text(entry.id.text), .time(entry.dueAt),
      .integer(Int64(entry.attempts)), .optional(entry.lastError), .optional(entry.retriedAt),
      .optional(entry.failedAt))
  }

  /// Stores the result of an attempt: the entry's `dueAt`, `lastError` and `failedAt`.
  ///
  /// - Parameter claim: The entry as it was claimed. By its `attempts` and the end of its lease the store
  ///   recognises a later claim.
  /// - Returns: False, and nothing is stored, if the entry was claimed again, was restarted by an operator,
  ///   or doesn't exist.
  package func recordAttempt(_ entry: OutboxEntry, of claim: OutboxEntry) throws -> Bool {
    try connection.change(
      OutboxSQL.recordAttempt, .text(claim.id.text), .integer(Int64(claim.attempts)),
      .time(claim.dueAt), .time(entry.dueAt), .optional(entry.lastError),
      .optional(entry.failedAt)) > 0
  }

  /// Deletes an entry whose work is done.
  ///
  /// - Returns: False, and nothing is deleted, in the cases of ``recordAttempt(_:of:)``.
  package func finishAttempt(of claim: OutboxEntry) throws -> Bool {
    try connection.change(
      OutboxSQL.finishAttempt, .text(claim.id.text), .integer(Int64(claim.attempts)),
      .time(claim.dueAt)) > 0
  }

  package func outboxEntry(_ id: OutboxID) throws -> OutboxEntry? {
    do {
      return try connection.first(OutboxSQL.entry, .text(id.text)) { try outboxEntry($0) }
    } catch is UnknownOutboxTask {
      throw StoreError.damaged("the outbox entry \(id) can't be read")
    }
  }

  /// At most `limit` entries, oldest first; with ``OutboxFilter/onlyFailed`` in the order in which they
  /// were given up. Entries that can't be read are left out.
  package func outboxEntries(_ filter: OutboxFilter, limit: Int) throws -> [OutboxEntry] {
    let limit = SQLValue.integer(Int64(max(limit, 0)))
    let project = SQLValue.optional(filter.project?.text)
    let kind = SQLValue.optional(filter.kind?.rawValue)
    return if filter.onlyFailed {
      try connection.all(OutboxSQL.failed, project, kind, limit) { try readable($0)?.entry }
        .compactMap(\.self)
    } else {
      try connection.all(OutboxSQL.list, .integer(.min), project, kind, limit) {
        try readable($0)?.entry
      }.compactMap(\.self)
    }
  }

  /// At most `limit` live entries with this order key, oldest first.
  package func liveOutboxEntries(
    withOrderKey orderKey: String, limit: Int, in project: ProjectID
  ) throws -> [OutboxEntry] {
    guard let key = try key(of: project) else { return [] }
    return try connection.all(
      OutboxSQL.ofOrderKey, .integer(key), .text(orderKey), .integer(Int64(max(limit, 0)))
    ) { try readable($0)?.entry }.compactMap(\.self)
  }

  /// How many entries of each kind are live, and how many were given up.
  package func countOutbox() throws -> [OutboxCount] {
    try OutboxTask.Kind.allCases.map { kind in
      let live = try connection.first(OutboxSQL.countLive, .text(kind.rawValue)) {
        (count: Int($0.integer(0)), oldestAt: $0.optionalTime(1))
      }
      let failed = try connection.first(OutboxSQL.countFailed, .text(kind.rawValue)) {
        Int($0.integer(0))
      }
      return OutboxCount(
        kind: kind, live: live?.count ?? 0, failed: failed ?? 0, oldestAt: live?.oldestAt)
    }
  }

  /// Removes at most `limit` entries that were given up before the time; returns how many were
  /// removed.
  package func sweepOutbox(failedBefore limit: Date, limit count: Int) throws -> Int {
    try connection.change(OutboxSQL.sweep, .time(limit), .integer(Int64(max(count, 0))))
  }

  /// - Returns: False if the entry doesn't exist.
  package func deleteOutboxEntry(_ id: OutboxID) throws -> Bool {
    try connection.change(OutboxSQL.delete, .text(id.text)) > 0
  }

  /// At most `limit` entries in the order in which they were stored, after the one at `position`. Those
  /// that can't be read are left out.
  ///
  /// - Returns: The entries, and the position of the last one; nil at the end.
  package func outboxPage(after position: Int64?, limit: Int) throws -> (
    entries: [OutboxEntry], position: Int64?
  ) {
    let page = try connection.all(
      OutboxSQL.page, .integer(position ?? .min), .integer(Int64(max(limit, 0)))
    ) { row in
      (position: row.integer(OutboxColumn.allCases.count + 1), entry: try readable(row)?.entry)
    }
    return (page.compactMap(\.entry), page.last?.position)
  }

  /// Encrypts the entry's task again, under the current key.
  package func reseal(_ entry: OutboxEntry) throws {
    try connection.run(
      OutboxSQL.reseal, .text(entry.id.text), .blob(try sealedTask(of: entry)))
  }

  /// The kinds' names, whether they are selected or excluded, and the busy receivers.
  private func selectionValues(_ selection: OutboxSelection) throws -> [SQLValue] {
    let spaced = { (words: [String]) in SQLValue.text(" " + words.joined(separator: " ") + " ") }
    let kinds: [SQLValue] =
      switch selection.kinds {
      case .all: [spaced([]), .flag(false)]
      case .only(let kind): [spaced([kind.rawValue]), .flag(true)]
      case .except(let kinds): [spaced(kinds.map(\.rawValue)), .flag(false)]
      }
    let busyProjects = (selection.shares?.fullOwners ?? [])
      .map { OutboxReceiver(project: $0, name: "") }
    let busy = try (selection.busy + busyProjects).compactMap { receiver in
      try key(of: receiver.project).map { "\($0)/\(receiver.name)" }
    }
    return kinds + [spaced(busy.sorted())]
  }

  private func sealedTask(of entry: OutboxEntry) throws -> [UInt8] {
    try sealing.seal(
      try entry.task.stored, at: Self.outboxPlace(entry.id.text, entry.project.text))
  }

  /// A row, whether or not this version can read its task.
  private enum Stored {
    case entry(OutboxEntry, position: Int64)
    /// The task was decrypted, so the row is intact. `since` is the time when the entry was stored,
    /// or when an operator restarted it.
    case ofNewerVersion(id: String, since: Date)
    case damaged(id: String)
  }

  /// Nil for an entry that can't be read, so that it doesn't block the others.
  private func readable(_ row: SQLRow) throws -> (entry: OutboxEntry, position: Int64)? {
    guard case .entry(let entry, let position) = try stored(row) else { return nil }
    return (entry, position)
  }

  private func stored(_ row: SQLRow) throws -> Stored {
    do {
      let entry = try outboxEntry(row)
      return .entry(entry, position: row.integer(OutboxColumn.allCases.count + 1))
    } catch StoreError.damaged {
      return .damaged(id: try row.text(OutboxColumn.id))
    } catch is UnknownOutboxTask {
      return .ofNewerVersion(
        id: try row.text(OutboxColumn.id),
        since: row.optionalTime(OutboxColumn.retriedAt) ?? row.time(OutboxColumn.createdAt))
    }
  }

  private struct UnknownOutboxTask: Error {}

  /// - Throws: `StoreError.damaged`, or ``UnknownOutboxTask``.
  private func outboxEntry(_ row: SQLRow) throws -> OutboxEntry {
    typealias Column = OutboxColumn
    let project = try row.value(OutboxColumn.allCases.count, "project's id", ProjectID.init)
    let id = try row.value(Column.id, "outbox entry's id", OutboxID.init)
    let bytes = try sealing.open(
      row.blob(Column.task), at: Self.outboxPlace(id.text, project.text))
    guard let task = OutboxTask(stored: bytes) else { throw UnknownOutboxTask() }
    var entry = OutboxEntry(
      id: id, project: project, task: task, orderKey: try row.text(Column.orderKey),
      createdAt: row.time(Column.createdAt))
    entry.dueAt = row.time(Column.dueAt)
    entry.attempts = Int(row.integer(Column.attempts))
    entry.lastError = try row.optionalText(Column.lastError)
    entry.retriedAt = row.optionalTime(Column.retriedAt)
    entry.failedAt = row.optionalTime(Column.failedAt)
    return entry
  }

  private static func outboxPlace(_ id: String, _ project: String) -> SealedPlace {
    SealedPlace(.queuedTask, project: project, row: id)
  }
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
