package import GatehouseProtocol

/// Manages a project's apps on Android for an operator.
package struct AndroidApps: Sendable {
  private let store: any Store

  package init(store: any Store) { self.store = store }

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
    try await store.write { transaction in
      guard try transaction.project(app.project) != nil else { throw Refusal.unknownProject }
      let others = try transaction.androidApps(of: app.project)
        .filter { !$0.packageName.hasSameBytes(as: app.packageName) }
      guard others.count < AndroidApp.maximumPerProject else { throw Refusal.tooMany }
      try transaction.save(app)
    }
  }

  /// False if the project has no such app.
  package func delete(_ packageName: String, of project: ProjectID) async throws -> Bool {
    try await store.write { try $0.deleteAndroidApp(packageName, of: project) }
  }
}
