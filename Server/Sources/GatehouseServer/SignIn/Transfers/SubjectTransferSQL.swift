enum SubjectTransferColumn: Int32, SQLColumn, SQLPosition {
  case provider, oldSubject, transferSubject, team, preparedAt, newSubject, completedAt
}

enum SubjectTransferSQL: SQLStatement {
  case save, byTransfer, byOld, byNew, open, isOpen, countAll, countOpen, deleteOld, deleteNew

  var text: String {
    switch self {
    case .save: Self.saveText
    case .byTransfer:
      "\(Self.selectText) WHERE project = ? AND provider = ? AND transfer_subject = ?"
    case .byOld: "\(Self.selectText) WHERE project = ? AND provider = ? AND old_subject = ?"
    case .byNew: "\(Self.selectText) WHERE project = ? AND provider = ? AND new_subject = ?"
    case .isOpen:
      """
      SELECT 1 FROM subject_transfers
      WHERE project = ? AND provider = ? AND completed_at IS NULL AND prepared_at > ? LIMIT 1
      """
    case .deleteOld:
      "DELETE FROM subject_transfers WHERE project = ? AND provider = ? AND old_subject = ?"
    case .deleteNew:
      "DELETE FROM subject_transfers WHERE project = ? AND provider = ? AND new_subject = ?"
    case .open:
      """
      \(Self.selectText) WHERE project = ? AND provider = ? AND old_subject > ?
        AND completed_at IS NULL
      ORDER BY old_subject LIMIT ?
      """
    case .countAll: "SELECT count(*) FROM subject_transfers WHERE project = ? AND provider = ?"
    case .countOpen:
      """
      SELECT count(*) FROM subject_transfers
      WHERE project = ? AND provider = ? AND completed_at IS NULL
      """
    }
  }

  /// Values: the project, and the columns.
  private static let saveText = """
    INSERT INTO subject_transfers (project, \(SubjectTransferColumn.list))
    VALUES (?1, \(SubjectTransferColumn.marks(behind: 1)))
    ON CONFLICT (project, provider, old_subject) DO UPDATE SET
      \(SubjectTransferColumn.updates(but: .provider, .oldSubject))
    """
  private static let selectText = "SELECT \(SubjectTransferColumn.list) FROM subject_transfers"
}
