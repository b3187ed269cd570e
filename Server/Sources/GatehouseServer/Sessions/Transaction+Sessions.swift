package import Foundation
package import GatehouseProtocol
import GatehouseTokens

extension Transaction {
  package func session(_ id: SessionID, in project: ProjectID) throws -> Session? {
    guard let key = try key(of: project) else { return nil }
    return try connection.first(SessionRecordSQL.session, .integer(key), .blob(id.bytes)) {
      try Session(id: id, $0)
    }
  }

  /// The session, and its account if there is one with its uid.
  package func sessionWithAccount(
    _ id: SessionID, in project: ProjectID
  ) throws -> (session: Session, account: Account?)? {
    guard let key = try key(of: project) else { return nil }
    let values: [SQLValue] = [.integer(key), .blob(id.bytes)]
    if connection.isRemote {
      connection.expect(
        [SQLQuery(SessionRecordSQL.session, values)] + Self.queries(.session, values))
    }
    guard let session = try session(id, in: project) else { return nil }
    return (session, try account(.session, in: project, .blob(id.bytes)))
  }

  package func insert(_ session: Session, in project: ProjectID) throws {
    knownLiveSessions = nil
    try write(
      SessionRecordSQL.insert, session, SessionColumn.allCases, in: try existingKey(of: project))
  }

  /// Stores what a rotation, a sign-in or the end changes in the session. Its account, its creation
  /// and its device don't change. The device is erased when the session ends.
  package func update(_ session: Session, in project: ProjectID) throws {
    knownLiveSessions = nil
    guard let key = try key(of: project) else { return }
    try write(SessionRecordSQL.update, session, SessionColumn.bound, in: key)
  }

  /// Ends the account's live sessions that began at or before `limit` (nil: all of them). Erases their
  /// claims and devices, so that a tombstone reveals nothing about the user.
  package func endSessions(
    of uid: UID, in project: ProjectID, startedAtOrBefore limit: Date?, ending: Session.Ending
  ) throws {
    knownLiveSessions = nil
    guard let key = try key(of: project) else { return }
    try connection.run(
      SessionSQL.end, .integer(key), .text(uid.text), .integer(limit?.milliseconds ?? .max),
      .time(ending.at), .text(ending.reason.rawValue))
  }

  /// Ends in the same way the account's live sessions that began with the provider, at or before
  /// `limit`.
  package func endSessions(
    of uid: UID, startedAtOrBefore limit: Date, by provider: ProviderID, in project: ProjectID,
    ending: Session.Ending
  ) throws {
    knownLiveSessions = nil
    guard let key = try key(of: project) else { return }
    try connection.run(
      SessionSQL.endOfProvider, .integer(key), .text(uid.text), .time(limit),
      .text(provider.text), .time(ending.at), .text(ending.reason.rawValue))
  }

  /// At most `limit` live sessions of the account, the newest first.
  package func liveSessions(of uid: UID, limit: Int, in project: ProjectID) throws -> [Session] {
    guard let key = try key(of: project) else { return [] }
    return try connection.all(
      SessionRecordSQL.live, .integer(key), .text(uid.text), .integer(Int64(max(limit, 0)))
    ) { row in
      guard let id = SessionID(bytes: row.blob(SessionColumn.allCases.count)) else {
        throw StoreError.damaged("a session's id can't be read")
      }
      return try Session(id: id, row)
    }
  }

  /// Whether a session of the account began with the provider after `limit`: a live one, or an ended one
  /// that is still stored. Tombstones of a deleted account don't count.
  package func hasSession(
    of uid: UID, startedAfter limit: Date, by provider: ProviderID, in project: ProjectID
  ) throws -> Bool {
    guard let key = try key(of: project) else { return false }
    return try connection.first(
      SessionSQL.existsOfProvider, .integer(key), .text(uid.text), .time(limit),
      .text(provider.text)
    ) { _ in true } ?? false
  }

  /// How many live sessions the account has, and how many of them are on the device with this digest.
  /// Reads only an index, because every sign-in calls it.
  package func countLiveSessions(
    of uid: UID, onDevice device: [UInt8], in project: ProjectID
  ) throws -> (all: Int, onDevice: Int) {
    if let known = knownLiveSessions, known.project == project, known.uid == uid,
      known.device == nil || known.device == device
    {
      return known.count
    }
    guard let key = try key(of: project) else { return (0, 0) }
    return try connection.first(
      SessionSQL.countLive, .integer(key), .text(uid.text), .blob(device)
    ) { (Int($0.integer(0)), Int($0.integer(1))) } ?? (0, 0)
  }

  /// How many live sessions of the account began after `limit`.
  package func countLiveSessions(
    of uid: UID, startedAfter limit: Date, in project: ProjectID
  ) throws -> Int {
    guard let key = try key(of: project) else { return 0 }
    return try connection.first(
      SessionSQL.countLiveSince, .integer(key), .text(uid.text), .time(limit)
    ) { Int($0.integer(0)) } ?? 0
  }

  /// Reads ``countLiveSessions(of:onDevice:in:)`` ahead, by an identity of the account. So it can be read
  /// together with the account.
  func learnLiveSessions(
    of uid: UID, with provider: ProviderID, _ subject: Subject, onDevice device: [UInt8],
    in project: ProjectID
  ) throws {
    guard let key = try key(of: project) else { return }
    let count = try connection.first(
      SessionSQL.countLiveOfIdentity, .integer(key), .text(provider.text), .text(subject.text),
      .blob(device)
    ) { (all: Int($0.integer(0)), onDevice: Int($0.integer(1))) }
    knownLiveSessions = count.map { (project, uid, device, $0) }
  }

  /// Sets or removes the name of the device of one of the account's live sessions.
  ///
  /// - Returns: False if the account has no such live session.
  package func nameDevice(
    of id: SessionID, _ uid: UID, _ name: String?, in project: ProjectID
  ) throws -> Bool {
    guard let key = try key(of: project) else { return false }
    return try connection.change(
      SessionSQL.nameDevice, .integer(key), .text(uid.text), .blob(id.bytes), .optional(name)) > 0
  }

  /// Removes the account's least recently used live sessions beyond `count`.
  package func trimSessions(of uid: UID, in project: ProjectID, keeping count: Int) throws {
    knownLiveSessions = nil
    guard let key = try key(of: project) else { return }
    try connection.run(
      SessionSQL.trim, .integer(key), .text(uid.text), .integer(Int64(max(count, 0))))
  }

  /// How many live sessions, in all projects, were last used before the time. The cost grows with
  /// the result.
  package func countLiveSessions(lastUsedBefore limit: Date) throws -> Int {
    let count = try connection.first(SessionSQL.countUnused, .time(limit)) { $0.integer(0) }
    return Int(count ?? 0)
  }

  /// Removes at most `limit` sessions: those of deleted accounts that ended before `deletedBefore`,
  /// others that ended before `endedBefore`, and live ones that were last used before `idleSince`.
  /// Returns how many were removed.
  package func sweepSessions(
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

  /// The insert and the update have the same values under the same parameter numbers.
  private func write(
    _ sql: SessionRecordSQL, _ session: Session, _ columns: [SessionColumn], in project: Int64
  ) throws {
    try connection.run(
      sql,
      [.integer(project), .blob(session.id.bytes)] + columns.map { session.value($0) })
  }
}

extension Session {
  fileprivate init(id: SessionID, _ row: SQLRow) throws {
    typealias Column = SessionColumn
    self.init(
      id: id, uid: try row.value(Column.uid, "session's account", UID.init),
      provider: try row.value(Column.provider, "session's provider", ProviderID.init),
      signInAttributes: try row.optionalText(Column.signInAttributes).map {
        SignInAttributes(written: $0)
      },
      createdAt: row.time(Column.createdAt), authenticatedAt: row.time(Column.authenticatedAt))
    lastUsedAt = row.time(Column.lastUsedAt)
    rotation = UInt32(truncatingIfNeeded: row.integer(Column.rotation))
    rotatedAt = Self.rotations.compactMap { row.optionalTime($0) }
    if !row.isNull(Column.developerClaims) {
      developerClaims = try row.value(Column.developerClaims, "set of developer claims") {
        try? CustomClaims(jsonText: $0, limit: CustomClaims.greatestDeveloperLength)
      }
    }
    if !row.isNull(Column.secondFactor) {
      secondFactor = try row.value(
        Column.secondFactor, "second factor of a session", PresentedFactor.init(stored:))
    }
    if !row.isNull(Column.device) {
      device = SessionDevice(
        userAgent: try row.optionalText(Column.userAgent), app: try row.optionalText(Column.app),
        address: try row.optionalText(Column.address),
        name: try row.optionalText(Column.deviceName))
    }
    if let endedAt = row.optionalTime(Column.endedAt) {
      ended = Ending(
        at: endedAt,
        reason: try row.value(
          Column.endedReason, "end of a session", Ending.Reason.init(rawValue:)))
    }
  }

  private static let rotations: [SessionColumn] = [
    .rotatedAt1, .rotatedAt2, .rotatedAt3, .rotatedAt4,
  ]

  fileprivate func value(_ column: SessionColumn) -> SQLValue {
    switch column {
    case .uid: .text(uid.text)
    case .provider: .text(provider.text)
    case .signInAttributes: .optional(signInAttributes?.jsonText)
    case .createdAt: .time(createdAt)
    case .authenticatedAt: .time(authenticatedAt)
    case .lastUsedAt: .time(lastUsedAt)
    case .rotation: .integer(Int64(rotation))
    case .rotatedAt1: rotation(0)
    case .rotatedAt2: rotation(1)
    case .rotatedAt3: rotation(2)
    case .rotatedAt4: rotation(3)
    case .endedAt: .optional(ended?.at)
    case .endedReason: .optional(ended?.reason.rawValue)
    case .developerClaims: .optional(developerClaims?.jsonText)
    case .secondFactor: .optional(secondFactor?.stored)
    case .userAgent: .optional(device?.userAgent)
    case .app: .optional(device?.app)
    case .address: .optional(device?.address)
    case .deviceName: .optional(device?.name)
    case .device: .optional(device?.digest)
    }
  }

  private func rotation(_ index: Int) -> SQLValue {
    index < rotatedAt.count ? .time(rotatedAt[index]) : .null
  }
}
