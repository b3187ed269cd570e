package import GatehouseModel

/// A project's apps on Apple's platforms. Every change increases ``Store/changeCounter()``.
package protocol AppRecords {
  func app(_ id: String) throws -> App?
  /// In the order of their bundle ids, byte by byte.
  func apps(of project: ProjectID) throws -> [App]
  /// Throws ``StoreError/conflict(_:)`` with `other` if the project has an app with the bundle id.
  func insert(_ app: App) throws
  func setTeam(_ teamID: String?, ofApp id: String) throws
  func deleteApp(_ id: String) throws
}

package protocol AndroidAppRecords {
  /// In the order of their package names, byte by byte.
  func androidApps(of project: ProjectID) throws -> [AndroidApp]
  /// Creates the app, or replaces it, except for ``AndroidApp/createdAt``. Increases
  /// ``Store/changeCounter()``.
  func save(_ app: AndroidApp) throws
  /// False if there was none. Increases ``Store/changeCounter()``.
  func deleteAndroidApp(_ packageName: String, of project: ProjectID) throws -> Bool
}
