enum PhoneVerificationSQL: String, SQLStatement {
  case insert = """
    INSERT INTO phone_verifications (project, digest, phone_number, code_digest, tries, is_test,
      created_at, expires_at, session_info, code)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """
  case verification = """
    SELECT digest, phone_number, code_digest, tries, is_test, created_at, expires_at,
      session_info, code
    FROM phone_verifications WHERE project = ? AND digest = ?
    """
  case setTries = "UPDATE phone_verifications SET tries = ? WHERE project = ? AND digest = ?"
  case delete = "DELETE FROM phone_verifications WHERE project = ? AND digest = ?"
  case list = """
    SELECT digest, phone_number, code_digest, tries, is_test, created_at, expires_at,
      session_info, code
    FROM phone_verifications WHERE project = ? ORDER BY key LIMIT ?
    """
  case sweep = """
    DELETE FROM phone_verifications WHERE key IN (
      SELECT key FROM phone_verifications WHERE expires_at < ? ORDER BY expires_at LIMIT ?)
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
