package import GatehouseModel

package protocol ProjectRecords {
  func project(_ id: ProjectID) throws -> Project?
  func projects() throws -> [Project]
  /// Writes the project, and replaces the one stored under its id. Counts as a change.
  func save(_ project: Project) throws
  /// Removes the project and all its rows. Counts as a change.
  func deleteProject(_ id: ProjectID) throws

  func apiKey(_ text: String) throws -> APIKey?
  func apiKeys(of project: ProjectID) throws -> [APIKey]
  /// Counts as a change. Throws ``StoreError/conflict(_:)`` if the key exists.
  func insert(_ key: APIKey) throws
  /// False if there was none. Counts as a change. Delete an app before its key.
  func deleteAPIKey(_ text: String) throws -> Bool
}

package protocol ProviderRecords {
  func provider(_ id: ProviderID, in project: ProjectID) throws -> ProviderConfiguration?
  /// In the order of their ids, byte by byte.
  func providers(in project: ProjectID) throws -> [ProviderConfiguration]
  /// Writes the configuration with its secrets encrypted. Counts as a change.
  func save(_ provider: ProviderConfiguration, in project: ProjectID) throws
  /// False if there was none. Counts as a change.
  func deleteProvider(_ id: ProviderID, in project: ProjectID) throws -> Bool
}
