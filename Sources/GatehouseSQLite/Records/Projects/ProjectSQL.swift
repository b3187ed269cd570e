enum ProjectSQL: String, SQLStatement {
  case key = "SELECT key FROM projects WHERE id = ?"
  case project = """
    SELECT id, number, display_name, issuer, authorized_domains, policies FROM projects
    WHERE id = ?
    """
  /// Reads the whole table: a server has few projects.
  case ids = "SELECT id FROM projects ORDER BY id"
  case save = """
    INSERT INTO projects (id, number, display_name, issuer, authorized_domains, policies)
    VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET
      number = excluded.number, display_name = excluded.display_name, issuer = excluded.issuer,
      authorized_domains = excluded.authorized_domains, policies = excluded.policies
    """
  case delete = "DELETE FROM projects WHERE id = ?"

  case apiKey = """
    SELECT k.text, p.id, k.display_name FROM api_keys AS k JOIN projects AS p ON p.key = k.project
    WHERE k.text = ?
    """
  case apiKeys = """
    SELECT k.text, p.id, k.display_name FROM projects AS p JOIN api_keys AS k ON k.project = p.key
    WHERE p.id = ? ORDER BY k.text
    """
  case insertAPIKey = "INSERT INTO api_keys (text, project, display_name) VALUES (?, ?, ?)"
  case deleteAPIKey = "DELETE FROM api_keys WHERE text = ?"
}
