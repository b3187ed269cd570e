/// What is known of a database without its master key.
package struct DatabaseFacts: Hashable, Sendable {
  /// The number of migrations that the database lacks; the next start applies them.
  package let missingSteps: Int
  /// The mode for which the database was created; nil before its first start.
  package let mode: [UInt8]?
  /// The check value of the master key that encrypts.
  package let masterKeyCheck: [UInt8]?
  package let masterKeyID: [UInt8]?
  package let formerMasterKeys: [FormerMasterKey]
  /// A rotation of the master key was interrupted, or is in progress.
  package let isResealing: Bool
  package let projects: Int
  package let accounts: Int

  /// - Parameter values: The database's server values by name.
  package init(missingSteps: Int, values: [String: [UInt8]], projects: Int, accounts: Int) {
    self.missingSteps = missingSteps
    mode = values["mode"]
    masterKeyCheck = values[MasterKeyRotation.Value.check]
    masterKeyID = values[MasterKeyRotation.Value.id]
    formerMasterKeys = FormerMasterKey.list(values[MasterKeyRotation.Value.former])
    isResealing = values[MasterKeyRotation.Value.resealing].map { !$0.isEmpty } ?? false
    self.projects = projects
    self.accounts = accounts
  }
}
