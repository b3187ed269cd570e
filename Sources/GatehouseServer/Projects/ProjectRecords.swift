package import GatehouseModel

package protocol ProjectRecords {
  func project(_ id: ProjectID) throws -> Project?
  func projects() throws -> [Project]
  /// Writes the project, and replaces the one with its id. Increases ``Store/changeCounter()``.
  func save(_ project: Project) throws
  /// Removes the project, all its rows and its event log. Increases ``Store/changeCounter()``.
  func deleteProject(_ id: ProjectID) throws

  func apiKey(_ text: String) throws -> APIKey?
  func apiKeys(of project: ProjectID) throws -> [APIKey]
  /// Increases ``Store/changeCounter()``. Throws ``StoreError/conflict(_:)`` if the key exists.
  func insert(_ key: APIKey) throws
  /// False if there was none. Delete an app before its key. Increases ``Store/changeCounter()``.
  func deleteAPIKey(_ text: String) throws -> Bool
}

package protocol ProviderRecords {
  func provider(_ id: ProviderID, in project: ProjectID) throws -> ProviderConfiguration?
  /// In the order of their ids, byte by byte.
  func providers(in project: ProjectID) throws -> [ProviderConfiguration]
  /// Writes the configuration with its secrets encrypted. Increases ``Store/changeCounter()``.
  func save(_ provider: ProviderConfiguration, in project: ProjectID) throws
  /// False if there was none. Increases ``Store/changeCounter()``.
  func deleteProvider(_ id: ProviderID, in project: ProjectID) throws -> Bool
}
