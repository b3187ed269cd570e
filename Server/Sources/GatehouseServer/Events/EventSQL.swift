/// An event's own columns, in the same order in both tables.
enum EventColumn: Int32, SQLColumn, SQLPosition {
  case id, project, kind, uid, at, actor, details, source
}

/// The columns that linking adds.
enum EventLinkColumn: Int32, SQLColumn {
  case position, number, digest, salt, sourceDigest
}

enum EventSQL: SQLStatement {
  case add, waiting, waitingOfAccount, removeWaiting, link, byPosition, byNumber, latest,
    latestOfAccount, ofKind, byID
  case eraseSources, eraseWaitingSources, delete, sweep

  var text: String {
    switch self {
    case .add: Self.addText
    case .waiting: Self.waitingText
    case .waitingOfAccount:
      """
      SELECT \(EventColumn.list), key FROM waiting_events WHERE project = ? AND uid = ?
      ORDER BY key DESC LIMIT ?
      """
    case .removeWaiting: "DELETE FROM waiting_events WHERE key > ? AND key <= ?"
    case .link: Self.linkText
    case .byPosition: "\(Self.selectText) WHERE position > ? ORDER BY position LIMIT ?"
    case .byNumber: "\(Self.selectText) WHERE project = ? AND number > ? ORDER BY number LIMIT ?"
    case .latest:
      "\(Self.selectText) WHERE project = ? AND number < ? ORDER BY number DESC LIMIT ?"
    case .latestOfAccount:
      """
      \(Self.selectText) WHERE project = ? AND uid = ? AND number < ?
      ORDER BY number DESC LIMIT ?
      """
    case .ofKind:
      "SELECT number FROM events WHERE project = ? AND uid = ? AND number > ? AND kind = ? LIMIT 1"
    case .byID: "\(Self.selectText) WHERE id = ?"
    case .eraseSources:
      """
      UPDATE events SET source = NULL, salt = NULL
      WHERE project = ? AND uid = ? AND source IS NOT NULL
      """
    case .eraseWaitingSources:
      "UPDATE waiting_events SET source = NULL WHERE key < ? AND project = ? AND uid = ?"
    case .delete: "DELETE FROM events WHERE project = ?"
    case .sweep: "DELETE FROM events WHERE project = ? AND number <= ?"
    }
  }

  static let columns = Int32(EventColumn.allCases.count)
  // Built once, because these statements run often: every sign-in adds an event.
  private static let addText =
    "INSERT INTO waiting_events (\(EventColumn.list)) VALUES (\(EventColumn.marks(behind: 0)))"
  private static let waitingText =
    "SELECT \(EventColumn.list), key FROM waiting_events WHERE key > ? ORDER BY key LIMIT ?"
  private static let linkText = """
    INSERT INTO events (\(EventColumn.list), \(EventLinkColumn.list))
    VALUES (\(EventColumn.marks(behind: 0)), \(EventLinkColumn.marks(behind: columns)))
    """
  private static let selectText =
    "SELECT \(EventColumn.list), \(EventLinkColumn.list) FROM events"
}

extension EventLinkColumn: SQLPosition {
  /// The position after the event's own columns.
  package var position: Int32 { rawValue + EventSQL.columns }
}

enum EventChainSQL: String, SQLStatement {
  case all = "SELECT project FROM event_chains ORDER BY project"
  case end = "SELECT number, digest FROM event_chains WHERE project = ?"
  case setEnd = """
    INSERT INTO event_chains (project, number, digest) VALUES (?, ?, ?)
    ON CONFLICT (project) DO UPDATE SET number = excluded.number, digest = excluded.digest
    """
  case delete = "DELETE FROM event_chains WHERE project = ?"
  case checkpoint = """
    INSERT INTO event_checkpoints (project, number, digest, at, token) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (project, number) DO NOTHING
    """
  case checkpoints = """
    SELECT number, digest, at, token FROM event_checkpoints
    WHERE project = ? AND number > ? AND number <= ? ORDER BY number
    """
  case lastCheckpoint = """
    SELECT number, digest, at, token FROM event_checkpoints WHERE project = ?
    ORDER BY number DESC LIMIT 1
    """
  case lastCheckpointBefore = """
    SELECT number, digest, at, token FROM event_checkpoints WHERE project = ? AND at < ?
    ORDER BY number DESC LIMIT 1
    """
  case firstCheckpoint = """
    SELECT number, digest, at, token FROM event_checkpoints
    WHERE project = ?1 AND at < ?2
      AND number >= (SELECT MIN(number) FROM events WHERE project = ?1)
    ORDER BY number LIMIT 1
    """
  case sweepCheckpoints = "DELETE FROM event_checkpoints WHERE project = ? AND number < ?"
  case deleteCheckpoints = "DELETE FROM event_checkpoints WHERE project = ?"
}
