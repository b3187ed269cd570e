import Foundation
import GatehouseModel

extension SQLTransaction: OutboxRecords {
  func enqueue(_ entry: OutboxEntry) throws {
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

  func claimOutboxEntries(
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

  func hasDueOutboxEntry(_ selection: OutboxSelection, now: Date) throws -> Bool {
    try connection.first(OutboxSQL.isDue, [.time(now)] + selectionValues(selection)) { _ in true }
      ?? false
  }

  func update(_ entry: OutboxEntry) throws {
    try connection.run(
      OutboxSQL.update, .text(entry.id.text), .time(entry.dueAt),
      .integer(Int64(entry.attempts)), .optional(entry.lastError), .optional(entry.retriedAt),
      .optional(entry.failedAt))
  }

  func recordAttempt(_ entry: OutboxEntry, of claim: OutboxEntry) throws -> Bool {
    try connection.change(
      OutboxSQL.recordAttempt, .text(claim.id.text), .integer(Int64(claim.attempts)),
      .time(claim.dueAt), .time(entry.dueAt), .optional(entry.lastError),
      .optional(entry.failedAt)) > 0
  }

  func finishAttempt(of claim: OutboxEntry) throws -> Bool {
    try connection.change(
      OutboxSQL.finishAttempt, .text(claim.id.text), .integer(Int64(claim.attempts)),
      .time(claim.dueAt)) > 0
  }

  func outboxEntry(_ id: OutboxID) throws -> OutboxEntry? {
    do {
      return try connection.first(OutboxSQL.entry, .text(id.text)) { try outboxEntry($0) }
    } catch is UnknownOutboxTask {
      throw StoreError.damaged("the outbox entry \(id) can't be read")
    }
  }

  func outboxEntries(_ filter: OutboxFilter, limit: Int) throws -> [OutboxEntry] {
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

  func liveOutboxEntries(
    withOrderKey orderKey: String, limit: Int, in project: ProjectID
  ) throws -> [OutboxEntry] {
    guard let key = try key(of: project) else { return [] }
    return try connection.all(
      OutboxSQL.ofOrderKey, .integer(key), .text(orderKey), .integer(Int64(max(limit, 0)))
    ) { try readable($0)?.entry }.compactMap(\.self)
  }

  func countOutbox() throws -> [OutboxCount] {
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

  func sweepOutbox(failedBefore limit: Date, limit count: Int) throws -> Int {
    try connection.change(OutboxSQL.sweep, .time(limit), .integer(Int64(max(count, 0))))
  }

  func deleteOutboxEntry(_ id: OutboxID) throws -> Bool {
    try connection.change(OutboxSQL.delete, .text(id.text)) > 0
  }

  func outboxPage(after position: Int64?, limit: Int) throws -> (
    entries: [OutboxEntry], position: Int64?
  ) {
    let page = try connection.all(
      OutboxSQL.page, .integer(position ?? .min), .integer(Int64(max(limit, 0)))
    ) { row in
      (position: row.integer(OutboxColumn.allCases.count + 1), entry: try readable(row)?.entry)
    }
    return (page.compactMap(\.entry), page.last?.position)
  }

  func reseal(_ entry: OutboxEntry) throws {
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
