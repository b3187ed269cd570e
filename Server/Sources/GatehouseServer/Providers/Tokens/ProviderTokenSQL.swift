enum ProviderTokenColumn: Int32, SQLColumn, SQLPosition {
  case provider, clientID, subject, token, codeDigest, obtainedAt, checkedAt
}

enum ProviderTokenSQL: SQLStatement {
  case save, ofAccount, unchecked, check, page, count, delete, deleteOld, deleteOne

  var text: String {
    switch self {
    case .save: Self.saveText
    case .ofAccount: "\(Self.selectText) WHERE account = ? ORDER BY provider_tokens.key"
    case .unchecked: Self.uncheckedText
    case .check: "UPDATE provider_tokens SET checked_at = ? WHERE key = ?"
    case .page:
      """
      \(Self.selectText) WHERE provider_tokens.project = ? AND provider_tokens.key > ?
      ORDER BY provider_tokens.key LIMIT ?
      """
    case .count: "SELECT count(*) FROM provider_tokens WHERE project = ?"
    case .delete: "DELETE FROM provider_tokens WHERE account = ? AND provider = ?"
    case .deleteOld:
      "DELETE FROM provider_tokens WHERE account = ? AND provider = ? AND obtained_at <= ?"
    case .deleteOne:
      """
      DELETE FROM provider_tokens
      WHERE account = ? AND provider = ? AND client_id = ? AND obtained_at = ?
      """
    }
  }

  /// Values: the project and the account, and the columns.
  private static let saveText = """
    INSERT INTO provider_tokens (project, account, \(ProviderTokenColumn.list))
    VALUES (?1, ?2, \(ProviderTokenColumn.marks(behind: 2)))
    ON CONFLICT (account, provider, client_id) DO UPDATE SET
      \(ProviderTokenColumn.updates(but: .provider, .clientID))
    """
  /// Like ``selectText``, with the project's id.
  private static let uncheckedText = """
    SELECT \(columnsText), accounts.uid, provider_tokens.key, projects.id
    FROM provider_tokens JOIN accounts ON accounts.key = provider_tokens.account
    JOIN projects ON projects.key = provider_tokens.project
    WHERE provider_tokens.provider = ? AND checked_at < ? ORDER BY checked_at LIMIT ?
    """
  private static let columnsText =
    ProviderTokenColumn.allCases.map { "provider_tokens." + $0.name }.joined(separator: ", ")
  /// Reads the columns, the account's id, and the key.
  private static let selectText = """
    SELECT \(columnsText), accounts.uid, provider_tokens.key
    FROM provider_tokens JOIN accounts ON accounts.key = provider_tokens.account
    """
}
