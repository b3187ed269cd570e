import Foundation
import GatehouseAccounts
import GatehouseModel
import GatehouseTokens

extension SQLiteTransaction: SessionRecords {
  func session(_ id: SessionID, in project: ProjectID) throws -> Session? {
    guard let key = try key(of: project) else { return nil }
    return try connection.first(SessionSQL.session, .integer(key), .blob(id.bytes)) {
      try Session(id: id, $0)
    }
  }

  func insert(_ session: Session, in project: ProjectID) throws {
    try write(SessionSQL.insert, session, in: try existingKey(of: project))
  }

  func update(_ session: Session, in project: ProjectID) throws {
    guard let key = try key(of: project) else { return }
    try write(SessionSQL.update, session, in: key)
  }

  func endSessions(
    of uid: UID, in project: ProjectID, startedAtOrBefore limit: Date?, ending: Session.Ending
  ) throws {
    guard let key = try key(of: project) else { return }
    try connection.run(
      SessionSQL.end, .integer(key), .text(uid.text), .integer(limit?.milliseconds ?? .max),
      .time(ending.at), .text(ending.reason.rawValue))
  }

  func countLiveSessions(
    of uid: UID, startedAfter limit: Date?, in project: ProjectID
  ) throws -> Int {
    guard let key = try key(of: project) else { return 0 }
    let count =
      if let limit {
        try connection.first(
          SessionSQL.countLiveSince, .integer(key), .text(uid.text), .time(limit)
        ) { $0.integer(0) }
      } else {
        try connection.first(SessionSQL.countLive, .integer(key), .text(uid.text)) {
          $0.integer(0)
        }
      }
    return Int(count ?? 0)
  }

  func trimSessions(of uid: UID, in project: ProjectID, keeping count: Int) throws {
    guard let key = try key(of: project) else { return }
    try connection.run(
      SessionSQL.trim, .integer(key), .text(uid.text), .integer(Int64(max(count, 0))))
  }

  func countLiveSessions(lastUsedBefore limit: Date) throws -> Int {
    let count = try connection.first(SessionSQL.countUnused, .time(limit)) { $0.integer(0) }
    return Int(count ?? 0)
  }

  func sweepSessions(
    deletedBefore: Date, endedBefore: Date, idleSince: Date, limit: Int
  ) throws -> Int {
    var removed = 0
    for (sql, time) in [
      (SessionSQL.sweepDeleted, deletedBefore), (.sweepEnded, endedBefore), (.sweepIdle, idleSince),
    ] {
      removed += try connection.change(
        sql, .time(time), .integer(Int64(max(limit - removed, 0))))
    }
    return removed
  }

  /// Both statements have the same values under the same parameter numbers.
  private func write(_ sql: SessionSQL, _ session: Session, in project: Int64) throws {
    func rotation(_ index: Int) -> SQLValue {
      index < session.rotatedAt.count ? .time(session.rotatedAt[index]) : .null
    }
    try connection.run(
      sql, .integer(project), .blob(session.id.bytes), .text(session.uid.text),
      .text(session.provider.text), .optional(session.signInAttributes),
      .time(session.createdAt), .time(session.authenticatedAt), .time(session.lastUsedAt),
      .integer(Int64(session.rotation)), rotation(0), rotation(1), rotation(2), rotation(3),
      .optional(session.ended?.at), .optional(session.ended?.reason.rawValue),
      .optional(session.developerClaims?.jsonText))
  }
}

extension Session {
  /// Reads the columns of ``SessionSQL/session``.
  fileprivate init(id: SessionID, _ row: SQLRow) throws {
    self.init(
      id: id, uid: try row.value(0, "session's account", UID.init),
      provider: try row.value(1, "session's provider", ProviderID.init),
      signInAttributes: try row.optionalText(2), createdAt: row.time(3),
      authenticatedAt: row.time(4))
    lastUsedAt = row.time(5)
    rotation = UInt32(truncatingIfNeeded: row.integer(6))
    rotatedAt = (7...10).compactMap { row.optionalTime($0) }
    if !row.isNull(13) {
      developerClaims = try row.value(13, "set of developer claims") {
        try? CustomClaims(jsonText: $0)
      }
    }
    if let endedAt = row.optionalTime(11) {
      ended = Ending(
        at: endedAt,
        reason: try row.value(12, "end of a session", Ending.Reason.init(rawValue:)))
    }
  }
}
