enum ServiceAccountSQL: String, SQLStatement {
  case account = """
    SELECT a.key, a.email, p.id, a.makes_custom_tokens, a.is_administrator, a.created_at
    FROM service_accounts AS a JOIN projects AS p ON p.key = a.project WHERE a.email = ?
    """
  case emails = "SELECT email FROM service_accounts WHERE project = ? ORDER BY email"
  case save = """
    INSERT INTO service_accounts (email, project, makes_custom_tokens, is_administrator, created_at)
    VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (email) DO UPDATE SET
      makes_custom_tokens = excluded.makes_custom_tokens,
      is_administrator = excluded.is_administrator
    WHERE service_accounts.project = excluded.project
    """
  case delete = "DELETE FROM service_accounts WHERE email = ?"

  case accountKey = "SELECT key FROM service_accounts WHERE email = ?"
  case keys = """
    SELECT id, public_key, created_at, expires_at FROM service_account_keys
    WHERE account = ? ORDER BY created_at, id
    """
  case saveKey = """
    INSERT INTO service_account_keys (account, id, public_key, created_at, expires_at)
    VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (account, id) DO UPDATE SET expires_at = excluded.expires_at
    """
  case deleteKey = "DELETE FROM service_account_keys WHERE account = ? AND id = ?"

  case insertAccessToken = """
    INSERT INTO access_tokens (digest, account, key, expires_at) VALUES (?, ?, ?, ?)
    """
  case accessToken = """
    SELECT a.email, t.key, t.expires_at
    FROM access_tokens AS t JOIN service_accounts AS a ON a.key = t.account WHERE t.digest = ?
    """
  /// Reads only the index.
  case countAccessTokens = "SELECT count(*) FROM access_tokens WHERE account = ?"
  case trimAccessTokens = """
    DELETE FROM access_tokens WHERE digest IN (
      SELECT digest FROM access_tokens WHERE account = ?
      ORDER BY expires_at DESC LIMIT 9223372036854775807 OFFSET ?)
    """
  case sweepAccessTokens = """
    DELETE FROM access_tokens WHERE digest IN (
      SELECT digest FROM access_tokens WHERE expires_at < ? ORDER BY expires_at LIMIT ?)
    """
}
