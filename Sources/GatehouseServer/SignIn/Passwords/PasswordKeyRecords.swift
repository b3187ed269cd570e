package import GatehouseModel

/// The key of an imported hash scheme: one for all accounts that were imported with it.
package struct PasswordKey: Sendable {
  /// 32 random hexadecimal digits, by which the accounts' hashes refer to the key.
  package let id: String
  package let project: ProjectID
  /// Encrypted at rest.
  package let key: Secret<[UInt8]>

  package init(id: String, project: ProjectID, key: Secret<[UInt8]>) {
    self.id = id
    self.project = project
    self.key = key
  }
}

package protocol PasswordKeyRecords {
  func passwordKey(_ id: String) throws -> PasswordKey?
  /// The keys of a project's imports: at most 64.
  func passwordKeys(of project: ProjectID) throws -> [PasswordKey]
  /// Writes the key, encrypted, and replaces the one stored under its id. Increases
  /// ``Store/changeCounter()``.
  ///
  /// - Throws: ``StoreError/conflict(_:)`` with `project` if there is no such project.
  func save(_ key: PasswordKey) throws
}
