enum ProviderTokenColumn: Int32, SQLColumn, SQLPosition {
  case provider, clientID, subject, token, codeDigest, obtainedAt, checkedAt
}

enum ProviderTokenSQL: SQLStatement {
  case save, ofAccount, unchecked, page, count, delete

  var text: String {
    switch self {
    case .save: Self.saveText
    case .ofAccount: "\(Self.selectText) WHERE account = ? ORDER BY provider_tokens.key"
    case .unchecked:
      """
      \(Self.selectText) WHERE provider_tokens.project = ? AND checked_at < ?
      ORDER BY checked_at LIMIT ?
      """
    case .page:
      """
      \(Self.selectText) WHERE provider_tokens.project = ? AND provider_tokens.key > ?
      ORDER BY provider_tokens.key LIMIT ?
      """
    case .count: "SELECT count(*) FROM provider_tokens WHERE project = ?"
    case .delete: "DELETE FROM provider_tokens WHERE account = ? AND provider = ?"
    }
  }

  /// Of the project and the account, and of the columns.
  private static let saveText = """
    INSERT INTO provider_tokens (project, account, \(ProviderTokenColumn.list))
    VALUES (?1, ?2, \(ProviderTokenColumn.marks(behind: 2)))
    ON CONFLICT (account, provider, client_id) DO UPDATE SET
      \(ProviderTokenColumn.updates(but: .provider, .clientID))
    """
  /// The columns, the account's id, and the key.
  private static let selectText = """
    SELECT \(ProviderTokenColumn.allCases.map { "provider_tokens." + $0.name }
      .joined(separator: ", ")), accounts.uid, provider_tokens.key
    FROM provider_tokens JOIN accounts ON accounts.key = provider_tokens.account
    """
}
