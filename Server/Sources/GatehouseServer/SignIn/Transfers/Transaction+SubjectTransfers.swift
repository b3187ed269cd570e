package import Foundation
package import GatehouseProtocol

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

extension Transaction {
  /// Stores the transfer, in place of an earlier one of the same old subject.
  package func save(_ transfer: SubjectTransfer, in project: ProjectID) throws {
    try connection.run(
      SubjectTransferSQL.save,
      [.integer(try existingKey(of: project))]
        + SubjectTransferColumn.allCases.map { transfer.value($0) })
  }

  package func subjectTransfer(
    of provider: ProviderID, transferSubject: Subject, in project: ProjectID
  ) throws -> SubjectTransfer? {
    try find(.byTransfer, provider, transferSubject, project)
  }

  package func subjectTransfer(
    of provider: ProviderID, oldSubject: Subject, in project: ProjectID
  ) throws -> SubjectTransfer? {
    try find(.byOld, provider, oldSubject, project)
  }

  /// Whether a transfer to the team gave an identity this subject.
  package func isNewSubject(
    _ subject: Subject, of provider: ProviderID, team: String, in project: ProjectID
  ) throws -> Bool {
    guard let key = try key(of: project) else { return false }
    return try connection.all(
      SubjectTransferSQL.byNew, .integer(key), .text(provider.text), .text(subject.text)
    ) { try SubjectTransfer($0) }.contains { $0.team.utf8.elementsEqual(team.utf8) }
  }

  /// Whether there is a transfer that was prepared after `date` and isn't completed.
  package func hasOpenSubjectTransfer(
    of provider: ProviderID, preparedAfter date: Date, in project: ProjectID
  ) throws -> Bool {
    guard let key = try key(of: project) else { return false }
    return try connection.first(
      SubjectTransferSQL.isOpen, .integer(key), .text(provider.text), .time(date)
    ) { _ in true } ?? false
  }

  /// Deletes every transfer from or to the subject.
  package func deleteSubjectTransfers(
    of provider: ProviderID, subject: Subject, in project: ProjectID
  ) throws {
    guard let key = try key(of: project) else { return }
    for sql in [SubjectTransferSQL.deleteOld, .deleteNew] {
      try connection.run(sql, .integer(key), .text(provider.text), .text(subject.text))
    }
  }

  private func find(
    _ sql: SubjectTransferSQL, _ provider: ProviderID, _ subject: Subject, _ project: ProjectID
  ) throws -> SubjectTransfer? {
    guard let key = try key(of: project) else { return nil }
    return try connection.first(
      sql, .integer(key), .text(provider.text), .text(subject.text)
    ) { try SubjectTransfer($0) }
  }

  /// At most `limit` transfers that aren't completed, in the order of their old subjects, after
  /// `subject`.
  package func openSubjectTransfers(
    of provider: ProviderID, after subject: Subject?, limit: Int, in project: ProjectID
  ) throws -> [SubjectTransfer] {
    guard let key = try key(of: project) else { return [] }
    // Subjects are never empty.
    return try connection.all(
      SubjectTransferSQL.open, .integer(key), .text(provider.text), .text(subject?.text ?? ""),
      .integer(Int64(max(limit, 0)))
    ) { try SubjectTransfer($0) }
  }

  package func countSubjectTransfers(
    of provider: ProviderID, in project: ProjectID
  ) throws -> SubjectTransferCounts {
    guard let key = try key(of: project) else { return SubjectTransferCounts() }
    let count = { [connection] (sql: SubjectTransferSQL) in
      try connection.first(sql, .integer(key), .text(provider.text)) { Int($0.integer(0)) } ?? 0
    }
    var counts = SubjectTransferCounts()
    counts.prepared = try count(.countAll)
    counts.completed = counts.prepared - (try count(.countOpen))
    return counts
  }

  /// At most `limit` subjects of the provider's identities, in their order, after `subject`.
  package func subjects(
    of provider: ProviderID, after subject: Subject?, limit: Int, in project: ProjectID
  ) throws -> [Subject] {
    guard let key = try key(of: project) else { return [] }
    return try connection.all(
      AccountSQL.subjects, .integer(key), .text(provider.text), .text(subject?.text ?? ""),
      .integer(Int64(max(limit, 0)))
    ) { try $0.value(0, "identity's subject", Subject.init) }
  }
}

extension SubjectTransfer {
  fileprivate init(_ row: SQLRow) throws {
    typealias Column = SubjectTransferColumn
    self.init(
      provider: try row.value(Column.provider, "provider's id", ProviderID.init),
      oldSubject: try row.value(Column.oldSubject, "subject", Subject.init),
      transferSubject: try row.value(Column.transferSubject, "subject", Subject.init),
      team: try row.text(Column.team), preparedAt: row.time(Column.preparedAt))
    newSubject = try row.optionalText(Column.newSubject).flatMap { Subject($0) }
    completedAt = row.optionalTime(Column.completedAt)
  }

  fileprivate func value(_ column: SubjectTransferColumn) -> SQLValue {
    switch column {
    case .provider: .text(provider.text)
    case .oldSubject: .text(oldSubject.text)
    case .transferSubject: .text(transferSubject.text)
    case .team: .text(team)
    case .preparedAt: .time(preparedAt)
    case .newSubject: .optional(newSubject?.text)
    case .completedAt: .optional(completedAt)
    }
  }
}
