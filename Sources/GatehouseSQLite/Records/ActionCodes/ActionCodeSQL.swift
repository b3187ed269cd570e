enum ActionCodeSQL: String, SQLStatement {
  case insert = """
    INSERT INTO action_codes (project, digest, purpose, uid, email, new_email, recipient, is_void,
      created_at, expires_at, link, verified_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """
  case code = """
    SELECT digest, purpose, uid, email, new_email, is_void, created_at, expires_at, link,
      verified_at
    FROM action_codes WHERE project = ? AND digest = ?
    """
  /// The two counts read only their indexes.
  case countByRecipient = """
    SELECT count(*) FROM action_codes
    WHERE project = ? AND recipient = ? AND purpose = ? AND expires_at > ?
    """
  case countByUID = """
    SELECT count(*) FROM action_codes
    WHERE project = ? AND uid = ? AND purpose = ? AND expires_at > ?
    """
  case voidByRecipient = """
    UPDATE action_codes SET is_void = 1, link = NULL
    WHERE project = ? AND recipient = ? AND purpose = ?
    """
  case voidByUID = """
    UPDATE action_codes SET is_void = 1, link = NULL
    WHERE project = ? AND uid = ? AND purpose = ?
    """
  case deleteByRecipient = """
    DELETE FROM action_codes WHERE project = ? AND recipient = ? AND purpose = ?
    """
  case deleteByUID = """
    DELETE FROM action_codes WHERE project = ? AND uid = ? AND purpose = ? AND created_at >= ?
    """
  case list = """
    SELECT digest, purpose, uid, email, new_email, is_void, created_at, expires_at, link,
      verified_at
    FROM action_codes WHERE project = ? ORDER BY key LIMIT ?
    """
  case sweep = """
    DELETE FROM action_codes WHERE key IN (
      SELECT key FROM action_codes WHERE expires_at < ? ORDER BY expires_at LIMIT ?)
    """
}
