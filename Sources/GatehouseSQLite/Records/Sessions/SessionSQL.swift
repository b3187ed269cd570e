enum SessionSQL: String, SQLStatement {
  case session = """
    SELECT uid, provider, sign_in_attributes, created_at, authenticated_at, last_used_at, rotation,
      rotated_at_1, rotated_at_2, rotated_at_3, rotated_at_4, ended_at, ended_reason,
      developer_claims
    FROM sessions WHERE project = ? AND id = ?
    """
  case insert = """
    INSERT INTO sessions (project, id, uid, provider, sign_in_attributes, created_at,
      authenticated_at, last_used_at, rotation, rotated_at_1, rotated_at_2, rotated_at_3,
      rotated_at_4, ended_at, ended_reason, developer_claims)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)
    """
  /// A session's account and creation time never change, so they aren't written again. The indexes
  /// on them stay untouched.
  case update = """
    UPDATE sessions SET provider = ?4, sign_in_attributes = ?5, authenticated_at = ?7,
      last_used_at = ?8, rotation = ?9, rotated_at_1 = ?10, rotated_at_2 = ?11, rotated_at_3 = ?12,
      rotated_at_4 = ?13, ended_at = ?14, ended_reason = ?15,
      developer_claims = ?16
    WHERE project = ?1 AND id = ?2 AND uid = ?3 AND created_at = ?6
    """
  case end = """
    UPDATE sessions SET ended_at = ?4, ended_reason = ?5
    WHERE project = ?1 AND uid = ?2 AND ended_at IS NULL AND created_at <= ?3
    """
  /// Reads only the index.
  case countLive = """
    SELECT count(*) FROM sessions WHERE project = ? AND uid = ? AND ended_at IS NULL
    """
  case countLiveSince = """
    SELECT count(*) FROM sessions
    WHERE project = ? AND uid = ? AND ended_at IS NULL AND created_at > ?
    """
  case countUnused = "SELECT count(*) FROM sessions WHERE last_used_at < ? AND ended_at IS NULL"
  case trim = """
    DELETE FROM sessions WHERE key IN (
      SELECT key FROM sessions WHERE project = ?1 AND uid = ?2 AND ended_at IS NULL
      ORDER BY last_used_at DESC, key DESC LIMIT -1 OFFSET ?3)
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
      SELECT key FROM sessions WHERE last_used_at < ? ORDER BY last_used_at LIMIT ?)
    """
}
