enum KeySQL: String, SQLStatement {
  case signingKeys = """
    SELECT key_id, private_key, published_at, activated_at, retired_at, signs_from
    FROM signing_keys
    WHERE ring = ? ORDER BY published_at, key_id
    """
  case saveSigningKey = """
    INSERT INTO signing_keys (ring, key_id, private_key, published_at, activated_at, retired_at,
      signs_from)
    VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (ring, key_id) DO UPDATE SET
      private_key = excluded.private_key, published_at = excluded.published_at,
      activated_at = excluded.activated_at, retired_at = excluded.retired_at,
      signs_from = excluded.signs_from
    """
  case deleteSigningKey = "DELETE FROM signing_keys WHERE ring = ? AND key_id = ?"

  case adminKey = """
    SELECT k.digest, k.prefix, k.project, p.id, k.created_at, k.expires_at, k.role
    FROM admin_keys AS k LEFT JOIN projects AS p ON p.key = k.project WHERE k.digest = ?
    """
  /// Reads the whole table: a server has few such keys.
  case adminKeys = """
    SELECT k.digest, k.prefix, k.project, p.id, k.created_at, k.expires_at, k.role
    FROM admin_keys AS k LEFT JOIN projects AS p ON p.key = k.project ORDER BY k.prefix
    """
  case insertAdminKey = """
    INSERT INTO admin_keys (digest, prefix, project, created_at, expires_at, role)
    VALUES (?, ?, ?, ?, ?, ?)
    """
  case deleteAdminKey = "DELETE FROM admin_keys WHERE prefix = ?"
}
