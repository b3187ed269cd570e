package import GatehouseProtocol

extension Transaction {
  package func app(_ id: String) throws -> App? {
    try connection.first(AppSQL.app, .text(id), read: Self.app)
  }

  /// In the order of their bundle ids, byte by byte.
  package func apps(of project: ProjectID) throws -> [App] {
    try connection.all(AppSQL.apps, .text(project.text), read: Self.app)
  }

  /// Throws ``StoreError/conflict(_:)`` with `other` if the project has an app with the bundle id.
  package func insert(_ app: App) throws {
    try change(app) {
      try connection.run(
        AppSQL.insert, .text(app.id), .integer(try existingKey(of: app.project)),
        .text(app.bundleID), .optional(app.displayName), .text(app.apiKey), .time(app.createdAt),
        .optional(app.teamID))
    }
  }

  /// Writes the app's name and team.
  package func update(_ app: App) throws {
    try change(app) {
      try connection.run(
        AppSQL.update, .optional(app.displayName), .optional(app.teamID), .text(app.id))
    }
  }

  package func delete(_ app: App) throws {
    try change(app) { try connection.run(AppSQL.delete, .text(app.id)) }
  }

  private func change(_ app: App, _ change: () throws -> Void) throws {
    try changeSetting(
      SettingName("app", app.id), in: app.project, reading: { try self.app(app.id) }, change)
  }

  private static func app(_ row: SQLRow) throws -> App {
    App(
      id: try row.text(0), project: try row.value(1, "project's id", ProjectID.init),
      bundleID: try row.text(2), displayName: try row.optionalText(3), apiKey: try row.text(4),
      createdAt: row.time(5), teamID: try row.optionalText(6))
  }
}
