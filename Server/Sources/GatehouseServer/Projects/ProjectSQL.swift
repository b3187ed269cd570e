enum ProjectSQL: String, SQLStatement {
  case key = "SELECT key FROM projects WHERE id = ?"
  /// Reads the whole table: a server has few projects.
  case ids = "SELECT id FROM projects ORDER BY id"
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

enum ProjectColumn: Int32, SQLColumn, SQLPosition {
  case id, number, displayName, issuer, authorizedDomains, policies, blockingFunctions
}

enum ProjectRecordSQL: SQLStatement {
  case project, save

  var text: String {
    switch self {
    case .project: Self.projectText
    case .save: Self.saveText
    }
  }

  private static let projectText = "SELECT \(ProjectColumn.list) FROM projects WHERE id = ?"
  private static let saveText = """
    INSERT INTO projects (\(ProjectColumn.list)) VALUES (\(ProjectColumn.marks(behind: 0)))
    ON CONFLICT (id) DO UPDATE SET \(ProjectColumn.updates(but: .id))
    """
}
