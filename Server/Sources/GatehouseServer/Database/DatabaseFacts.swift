/// What is known of a database without its master key.
package struct DatabaseFacts: Hashable, Sendable {
  /// The number of migrations that the database lacks; the next start applies them.
  package let missingSteps: Int
  /// The database's server values by name.
  package let values: [String: [UInt8]]
  package let projects: Int
  package let accounts: Int

  package init(missingSteps: Int, values: [String: [UInt8]], projects: Int, accounts: Int) {
    self.missingSteps = missingSteps
    self.values = values
    self.projects = projects
    self.accounts = accounts
  }

  /// The mode for which the database was created; nil before its first start.
  package var mode: [UInt8]? { values["mode"] }
}
