enum AppSQL: String, SQLStatement {
  case app = """
    SELECT a.id, p.id, a.bundle_id, a.display_name, a.api_key, a.created_at, a.team_id
    FROM apps AS a JOIN projects AS p ON p.key = a.project WHERE a.id = ?
    """
  case apps = """
    SELECT a.id, p.id, a.bundle_id, a.display_name, a.api_key, a.created_at, a.team_id
    FROM projects AS p JOIN apps AS a ON a.project = p.key WHERE p.id = ? ORDER BY a.bundle_id
    """
  case insert = """
    INSERT INTO apps (id, project, bundle_id, display_name, api_key, created_at, team_id)
    VALUES (?, ?, ?, ?, ?, ?, ?)
    """
  case update = "UPDATE apps SET display_name = ?, team_id = ? WHERE id = ?"
  case delete = "DELETE FROM apps WHERE id = ?"
}
