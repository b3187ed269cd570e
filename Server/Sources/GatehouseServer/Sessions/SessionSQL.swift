enum SessionSQL: String, SQLStatement {
  case end = """
    UPDATE sessions SET ended_at = ?4, ended_reason = ?5, sign_in_attributes = NULL, developer_claims = NULL,
      user_agent = NULL, app = NULL, address = NULL, device_name = NULL, device = NULL
    WHERE project = ?1 AND uid = ?2 AND ended_at IS NULL AND created_at <= ?3
    """
  case endOfProvider = """
    UPDATE sessions SET ended_at = ?5, ended_reason = ?6, sign_in_attributes = NULL, developer_claims = NULL,
      user_agent = NULL, app = NULL, address = NULL, device_name = NULL, device = NULL
    WHERE project = ?1 AND uid = ?2 AND ended_at IS NULL AND created_at <= ?3 AND provider = ?4
    """
  /// One row, or none: a live session, then an ended one.
  ///
  /// A session that began after the time ended after it too. So the index of ended sessions finds it,
  /// among those that ended since. The plus keeps SQLite from an index in which it would read every
  /// session of the project.
  case existsOfProvider = """
    SELECT 1 FROM sessions
    WHERE project = ?1 AND uid = ?2 AND ended_at IS NULL AND created_at > ?3 AND provider = ?4
    UNION ALL SELECT 1 FROM sessions
    WHERE +project = ?1 AND uid = ?2 AND created_at > ?3 AND provider = ?4
      AND ended_at > ?3 AND ended_at IS NOT NULL AND ended_reason <> 'accountDeleted'
    LIMIT 1
    """
  /// Reads only the index. Values: the project, the account and a device.
  case countLive = """
    SELECT count(*), coalesce(sum(CASE WHEN device = ?3 THEN 1 ELSE 0 END), 0) FROM sessions
    WHERE project = ?1 AND uid = ?2 AND ended_at IS NULL
    """
  /// Values: the project, the identity and a device.
  case countLiveOfIdentity = """
    SELECT count(*), coalesce(sum(CASE WHEN device = ?4 THEN 1 ELSE 0 END), 0) FROM sessions
    WHERE project = ?1 AND ended_at IS NULL AND uid = (
      SELECT a.uid FROM accounts AS a JOIN identities AS i ON i.account = a.key
      WHERE i.project = ?1 AND i.provider = ?2 AND i.subject = ?3)
    """
  case countLiveSince = """
    SELECT count(*) FROM sessions
    WHERE project = ? AND uid = ? AND ended_at IS NULL AND created_at > ?
    """
  case nameDevice = """
    UPDATE sessions SET device_name = ?4
    WHERE project = ?1 AND uid = ?2 AND id = ?3 AND ended_at IS NULL
    """
  case countUnused = "SELECT count(*) FROM sessions WHERE last_used_at < ? AND ended_at IS NULL"
  case trim = """
    DELETE FROM sessions WHERE key IN (
      SELECT key FROM sessions WHERE project = ?1 AND uid = ?2 AND ended_at IS NULL
      ORDER BY last_used_at DESC, key DESC LIMIT 9223372036854775807 OFFSET ?3)
    """
  case sweepDeleted = """
    DELETE FROM sessions WHERE key IN (
      SELECT key FROM sessions WHERE ended_at < ? ORDER BY ended_at LIMIT ?)
    """
  case sweepEnded = """
    DELETE FROM sessions WHERE key IN (
      SELECT key FROM sessions
      WHERE ended_at < ? AND ended_at IS NOT NULL AND ended_reason <> 'accountDeleted'
      ORDER BY ended_at LIMIT ?)
    """
  case sweepIdle = """
    DELETE FROM sessions WHERE key IN (
      SELECT key FROM sessions WHERE last_used_at < ? AND ended_at IS NULL
      ORDER BY last_used_at LIMIT ?)
    """
}

enum SessionColumn: Int32, SQLColumn, SQLPosition {
  case uid, provider, signInAttributes, createdAt, authenticatedAt, lastUsedAt, rotation
  case rotatedAt1, rotatedAt2, rotatedAt3, rotatedAt4, endedAt, endedReason, developerClaims
  case secondFactor
  case userAgent, app, address, deviceName, device

  /// The client with which a session began. An update only erases these columns, at the session's
  /// end. They come after all others.
  static let ofDevice: [SessionColumn] = [.userAgent, .app, .address, .deviceName, .device]
  /// The columns whose values an update binds. Computed once, because each refresh updates a
  /// session.
  static let bound = allCases.filter { !ofDevice.contains($0) }
}

enum SessionRecordSQL: SQLStatement {
  case session, live, insert, update

  var text: String {
    switch self {
    case .session: Self.sessionText
    case .live: Self.liveText
    case .insert: Self.insertText
    case .update: Self.updateText
    }
  }

  private static let sessionText = """
    SELECT \(SessionColumn.list) FROM sessions WHERE project = ? AND id = ?
    """
  /// Reads the columns, and the id.
  private static let liveText = """
    SELECT \(SessionColumn.list), id FROM sessions
    WHERE project = ? AND uid = ? AND ended_at IS NULL ORDER BY created_at DESC, key DESC LIMIT ?
    """
  /// Values: the project, the id, and the columns, as for the update.
  private static let insertText = """
    INSERT INTO sessions (project, id, \(SessionColumn.list))
    VALUES (?1, ?2, \(SessionColumn.marks(behind: 2)))
    """
  /// A session's account and time of creation never change. They aren't written again, so that
  /// their indexes aren't updated.
  private static let updateText = """
    UPDATE sessions SET \(SessionColumn.changes(behind: 2, but: [.uid, .createdAt] + SessionColumn.ofDevice)),
      \(SessionColumn.ofDevice.map(Self.erasedAtEnd).joined(separator: ", "))
    WHERE project = ?1 AND id = ?2 AND uid = \(SessionColumn.uid.mark(behind: 2))
      AND created_at = \(SessionColumn.createdAt.mark(behind: 2))
    """

  private static func erasedAtEnd(_ column: SessionColumn) -> String {
    "\(column.name) = CASE WHEN CAST(\(SessionColumn.endedAt.mark(behind: 2)) AS BIGINT) IS NULL THEN \(column.name) END"
  }
}
