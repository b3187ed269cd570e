enum AndroidAppSQL: String, SQLStatement {
  case apps = """
    SELECT a.package_name, a.display_name, a.fingerprints, a.created_at
    FROM projects AS p JOIN android_apps AS a ON a.project = p.key WHERE p.id = ?
    ORDER BY a.package_name
    """
  case save = """
    INSERT INTO android_apps (project, package_name, display_name, fingerprints, created_at)
    VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (project, package_name) DO UPDATE SET
      display_name = excluded.display_name, fingerprints = excluded.fingerprints
    """
  case delete = "DELETE FROM android_apps WHERE project = ? AND package_name = ?"
}
