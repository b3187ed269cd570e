enum ActionCodeSQL: String, SQLStatement {
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
  /// Values: the project, the account and the purpose, as of the next two.
  case deleteReleased = """
    DELETE FROM action_codes
    WHERE project = ?1 AND purpose = ?3 AND uid IS NULL AND is_void = 0 AND recipient IN (
      SELECT recipient FROM action_codes WHERE project = ?1 AND uid = ?2 AND purpose = ?3)
    """
  case deleteVoid = """
    DELETE FROM action_codes WHERE project = ? AND uid = ? AND purpose = ? AND is_void = 1
    """
  case release = """
    UPDATE action_codes SET uid = NULL WHERE project = ? AND uid = ? AND purpose = ?
    """
  case deleteByRecipient = """
    DELETE FROM action_codes WHERE project = ? AND recipient = ? AND purpose = ?
    """
  case deleteByUID = """
    DELETE FROM action_codes WHERE project = ? AND uid = ? AND purpose = ? AND created_at >= ?
    """
  case setTries = """
    UPDATE action_codes SET tries = ? WHERE project = ? AND session_digest = ?
    """
  case sweep = """
    DELETE FROM action_codes WHERE key IN (
      SELECT key FROM action_codes WHERE expires_at < ? ORDER BY expires_at LIMIT ?)
    """
}

enum ActionCodeColumn: Int32, SQLColumn, SQLPosition {
  case digest, purpose, uid, email, newEmail, isVoid, createdAt, expiresAt, link, verifiedAt
  case sessionDigest, codeDigest, tries
}

enum ActionCodeRecordSQL: SQLStatement {
  case insert, code, ofSession, list

  var text: String {
    switch self {
    case .insert: Self.insertText
    case .code: Self.codeText
    case .ofSession: Self.ofSessionText
    case .list: Self.listText
    }
  }

  /// Values: the project, the recipient (by which codes are counted), and the columns.
  private static let insertText = """
    INSERT INTO action_codes (project, recipient, \(ActionCodeColumn.list))
    VALUES (?1, ?2, \(ActionCodeColumn.marks(behind: 2)))
    """
  private static let codeText = """
    SELECT \(ActionCodeColumn.list) FROM action_codes WHERE project = ? AND digest = ?
    """
  private static let ofSessionText = """
    SELECT \(ActionCodeColumn.list) FROM action_codes WHERE project = ? AND session_digest = ?
    """
  private static let listText = """
    SELECT \(ActionCodeColumn.list) FROM action_codes WHERE project = ? ORDER BY key LIMIT ?
    """
}
