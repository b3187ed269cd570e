enum OutboxColumn: Int32, SQLColumn, SQLPosition {
  case id, orderKey, task, createdAt, dueAt, attempts, lastError, retriedAt, failedAt
}

enum OutboxSQL: SQLStatement {
  case insert, claimable, isDue, claim, update, recordAttempt, finishAttempt, entry, list, failed,
    ofOrderKey,
    page, reseal
  case countLive, countFailed, giveUp, postpone, delete, sweep

  var text: String {
    switch self {
    case .insert: Self.insertText
    case .claimable: Self.claimableText
    case .isDue: "SELECT 1 \(Self.dueText) LIMIT 1"
    case .claim: "UPDATE outbox SET due_at = ?2, attempts = ?3 WHERE id = ?1"
    case .update:
      """
      UPDATE outbox SET due_at = ?2, attempts = ?3, last_error = ?4, retried_at = ?5, failed_at = ?6
      WHERE id = ?1
      """
    case .recordAttempt:
      """
      UPDATE outbox SET due_at = ?4, last_error = ?5, failed_at = ?6
      WHERE id = ?1 AND attempts = ?2 AND due_at = ?3
      """
    case .finishAttempt: "DELETE FROM outbox WHERE id = ?1 AND attempts = ?2 AND due_at = ?3"
    case .entry: "\(Self.selectText) WHERE outbox.id = ?"
    case .list: Self.listText
    case .failed: Self.failedText
    case .ofOrderKey: Self.orderKeyText
    case .page: "\(Self.selectText) WHERE outbox.key > ? ORDER BY outbox.key LIMIT ?"
    case .reseal: "UPDATE outbox SET task = ?2 WHERE id = ?1"
    case .countLive: "SELECT count(*), min(created_at) \(Self.kindText) IS NULL"
    case .countFailed: "SELECT count(*) \(Self.kindText) IS NOT NULL"
    case .giveUp: "UPDATE outbox SET failed_at = ?2, last_error = ?3 WHERE id = ?1"
    case .postpone: "UPDATE outbox SET due_at = ?2, last_error = ?3 WHERE id = ?1"
    case .delete: "DELETE FROM outbox WHERE id = ?"
    case .sweep:
      """
      DELETE FROM outbox WHERE key IN (
        SELECT key FROM outbox WHERE failed_at IS NOT NULL AND failed_at < ?
        ORDER BY failed_at LIMIT ?)
      """
    }
  }

  /// Values: the project, the kind and the provider, and the columns.
  private static let insertText = """
    INSERT INTO outbox (project, kind, provider, \(OutboxColumn.list))
    VALUES (?1, ?2, ?3, \(OutboxColumn.marks(behind: 3)))
    """
  /// Reads the columns, the project's id, and the key.
  private static let selectText = """
    SELECT \(OutboxColumn.allCases.map { "outbox." + $0.name }.joined(separator: ", ")),
      projects.id, outbox.key
    FROM outbox JOIN projects ON projects.key = outbox.project
    """
  /// Values: ?1 is the time. ?2 has the names of kinds, each between spaces: if ?3 is 1, only these
  /// kinds are read, otherwise all except these. ?4 has the busy receivers (`OutboxReceiver`), each
  /// as the project's key, a slash and the name, between spaces; a busy project has no name behind the
  /// slash. Their entries are not read. The column `provider` has the receiver's name: the id of a provider or hook, or `none`.
  private static let dueText = """
    FROM outbox WHERE failed_at IS NULL AND due_at <= ?1
      AND CASE WHEN replace(?2, ' ' || outbox.kind || ' ', '') <> ?2 THEN 1 ELSE 0 END = ?3
      AND replace(?4, ' ' || outbox.project || '/' || outbox.provider || ' ', '') = ?4
      AND replace(?4, ' ' || outbox.project || '/ ', '') = ?4 AND NOT EXISTS (
      SELECT 1 FROM outbox AS earlier
      WHERE earlier.project = outbox.project AND earlier.order_key = outbox.order_key
        AND earlier.key < outbox.key AND earlier.failed_at IS NULL)
    """
  private static let claimableText = """
    \(selectText) WHERE outbox.key IN (
      SELECT key \(dueText) ORDER BY due_at, key LIMIT ?5)
    ORDER BY outbox.due_at, outbox.key
    """
  /// Values: a key, the project's id or null, the kind or null, and the limit.
  private static let listText = """
    \(selectText) WHERE outbox.key > ?1 AND (CAST(?2 AS TEXT) IS NULL OR projects.id = ?2)
      AND (CAST(?3 AS TEXT) IS NULL OR outbox.kind = ?3)
    ORDER BY outbox.key LIMIT ?4
    """
  /// Values: the project's id or null, the kind or null, and the limit.
  private static let failedText = """
    \(selectText) WHERE outbox.failed_at IS NOT NULL AND (CAST(?1 AS TEXT) IS NULL OR projects.id = ?1)
      AND (CAST(?2 AS TEXT) IS NULL OR outbox.kind = ?2)
    ORDER BY outbox.failed_at LIMIT ?3
    """
  private static let orderKeyText = """
    \(selectText)
    WHERE outbox.project = ? AND outbox.order_key = ? AND outbox.failed_at IS NULL
    ORDER BY outbox.key LIMIT ?
    """
  private static let kindText = "FROM outbox WHERE kind = ? AND failed_at"
}
