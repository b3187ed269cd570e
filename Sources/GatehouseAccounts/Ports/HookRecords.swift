package import GatehouseModel

package protocol HookRecords {
  /// The project's hooks, oldest first.
  func hooks(of project: ProjectID) throws -> [Hook]

  /// What the project's hooks select, oldest first. Reads no secret, so a hook whose secret can't be
  /// decrypted doesn't keep others from getting their events.
  func hookSelections(of project: ProjectID) throws -> [HookSelection]

  func hook(_ id: HookID, of project: ProjectID) throws -> Hook?

  /// Writes the hook with its secrets encrypted, and replaces the one with its id. Counts as a change.
  ///
  /// - Throws: ``StoreError/conflict(_:)`` with `project` if there is no such project.
  func save(_ hook: Hook, of project: ProjectID) throws

  /// False if there was none. Counts as a change.
  func deleteHook(_ id: HookID, of project: ProjectID) throws -> Bool
}
