package import GatehouseProtocol

extension Transaction {
  /// In the order of their package names, byte by byte.
  package func androidApps(of project: ProjectID) throws -> [AndroidApp] {
    try connection.all(AndroidAppSQL.apps, .text(project.text)) { row in
      AndroidApp(
        project: project, packageName: try row.text(0), displayName: try row.optionalText(1),
        fingerprints: try JSONColumn.value(row.text(2), "list of fingerprints"),
        createdAt: row.time(3))
    }
  }

  /// Creates the app, or replaces it, except for ``AndroidApp/createdAt``. Increases
  /// ``Store/changeCounter()``.
  package func save(_ app: AndroidApp) throws {
    try connection.run(
      AndroidAppSQL.save, .integer(try existingKey(of: app.project)), .text(app.packageName),
      .optional(app.displayName), .text(try JSONColumn.text(app.fingerprints)),
      .time(app.createdAt))
    try recordSetting(SettingName("Android app", app.packageName), in: app.project)
  }

  /// False if there was none. Increases ``Store/changeCounter()``.
  package func deleteAndroidApp(_ packageName: String, of project: ProjectID) throws -> Bool {
    guard let key = try key(of: project) else { return false }
    let count = try connection.change(AndroidAppSQL.delete, .integer(key), .text(packageName))
    if count > 0 {
      try recordSetting(SettingName("Android app", packageName), .deleted, in: project)
    }
    return count > 0
  }
}
