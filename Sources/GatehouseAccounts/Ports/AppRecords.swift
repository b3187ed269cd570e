package import GatehouseModel

package protocol AppRecords {
  func app(_ id: String) throws -> App?
  /// In the order of their bundle ids, byte by byte.
  func apps(of project: ProjectID) throws -> [App]
  /// Throws ``StoreError/conflict(_:)`` with `other` if the project has an app with the bundle id.
  func insert(_ app: App) throws
  func deleteApp(_ id: String) throws
}
