package import GatehouseProtocol

/// Manages a project's apps on Android for an operator.
package struct AndroidApps: Sendable {
  private let projects: ProjectDirectory

  package init(_ projects: ProjectDirectory) { self.projects = projects }

  /// Why an app can't be saved.
  package enum Refusal: Error, Hashable, Sendable {
    case unknownProject
    /// The project already has ``AndroidApp/maximumPerProject`` apps.
    case tooMany
  }

  /// Creates the app, or replaces its fingerprints and name.
  ///
  /// - Throws: ``Refusal``.
  package func set(_ app: AndroidApp) async throws {
    try await projects.changing { transaction in
      guard try transaction.project(app.project) != nil else { throw Refusal.unknownProject }
      let others = try transaction.androidApps(of: app.project)
        .filter { !$0.packageName.hasSameBytes(as: app.packageName) }
      guard others.count < AndroidApp.maximumPerProject else { throw Refusal.tooMany }
      try transaction.save(app)
    }
  }

  /// False if the project has no such app.
  package func delete(_ packageName: String, of project: ProjectID) async throws -> Bool {
    try await projects.changing { try $0.deleteAndroidApp(packageName, of: project) }
  }
}
