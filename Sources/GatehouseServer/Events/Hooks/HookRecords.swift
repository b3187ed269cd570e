package import GatehouseModel

package protocol HookRecords {
  /// The project's hooks, oldest first.
  func hooks(of project: ProjectID) throws -> [Hook]

  /// What the project's hooks select, oldest first. Reads no secret: if the secret of one hook can't be
  /// decrypted, the other hooks still get their events.
  func hookSelections(of project: ProjectID) throws -> [HookSelection]

  func hook(_ id: HookID, of project: ProjectID) throws -> Hook?

  /// Writes the hook with its secrets encrypted, and replaces the one with its id. Increases
  /// ``Store/changeCounter()``.
  ///
  /// - Throws: ``StoreError/conflict(_:)`` with `project` if there is no such project.
  func save(_ hook: Hook, of project: ProjectID) throws

  /// False if there was none. Increases ``Store/changeCounter()``.
  func deleteHook(_ id: HookID, of project: ProjectID) throws -> Bool
}
