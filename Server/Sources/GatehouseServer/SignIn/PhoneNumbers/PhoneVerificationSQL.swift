enum PhoneVerificationSQL: String, SQLStatement {
  case setTries = "UPDATE phone_verifications SET tries = ? WHERE project = ? AND digest = ?"
  case delete = "DELETE FROM phone_verifications WHERE project = ? AND digest = ?"
  case sweep = """
    DELETE FROM phone_verifications WHERE key IN (
      SELECT key FROM phone_verifications WHERE expires_at < ? ORDER BY expires_at LIMIT ?)
    """
}

enum PhoneVerificationColumn: Int32, SQLColumn, SQLPosition {
  case digest, phoneNumber, codeDigest, tries, isTest, createdAt, expiresAt, sessionInfo, code
}

enum PhoneVerificationRecordSQL: SQLStatement {
  case insert, verification, list

  var text: String {
    switch self {
    case .insert: Self.insertText
    case .verification: Self.verificationText
    case .list: Self.listText
    }
  }

  /// Values: the project, and the columns.
  private static let insertText = """
    INSERT INTO phone_verifications (project, \(PhoneVerificationColumn.list))
    VALUES (?1, \(PhoneVerificationColumn.marks(behind: 1)))
    """
  private static let verificationText = """
    SELECT \(PhoneVerificationColumn.list) FROM phone_verifications
    WHERE project = ? AND digest = ?
    """
  private static let listText = """
    SELECT \(PhoneVerificationColumn.list) FROM phone_verifications
    WHERE project = ? ORDER BY key LIMIT ?
    """
}

enum CodeWebhookSQL: String, SQLStatement {
  case webhook = "SELECT url, secret FROM code_webhooks WHERE project = ?"
  case save = """
    INSERT INTO code_webhooks (project, url, secret) VALUES (?, ?, ?)
    ON CONFLICT (project) DO UPDATE SET url = excluded.url, secret = excluded.secret
    """
  case delete = "DELETE FROM code_webhooks WHERE project = ?"
}
