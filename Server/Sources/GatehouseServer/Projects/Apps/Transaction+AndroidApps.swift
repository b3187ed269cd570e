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
    try changeAndroidApp(app.packageName, of: app.project) {
      try connection.run(
        AndroidAppSQL.save, .integer(try existingKey(of: app.project)), .text(app.packageName),
        .optional(app.displayName), .text(try JSONColumn.text(app.fingerprints)),
        .time(app.createdAt))
    }
  }

  /// False if there was none. Increases ``Store/changeCounter()``.
  package func deleteAndroidApp(_ packageName: String, of project: ProjectID) throws -> Bool {
    guard let key = try key(of: project) else { return false }
    return try changeAndroidApp(packageName, of: project) {
      try connection.change(AndroidAppSQL.delete, .integer(key), .text(packageName)) > 0
    }
  }

  private func changeAndroidApp<Value>(
    _ packageName: String, of project: ProjectID, _ change: () throws -> Value
  ) throws -> Value {
    try changeSetting(
      SettingName("Android app", packageName), in: project,
      reading: {
        try androidApps(of: project).first { $0.packageName.hasSameBytes(as: packageName) }
      }, change)
  }
}
