import GatehouseAccounts
import GatehouseModel

/// The records as one transaction on one connection sees them. Its parts are beside it, a file for
/// each port.
final class SQLiteTransaction: StoreTransaction {
  let connection: Connection
  let sealing: any SecretSealing
  private var knownProject: (id: ProjectID, key: Int64)?

  init(_ connection: Connection, sealing: any SecretSealing) {
    self.connection = connection
    self.sealing = sealing
  }

  /// The project's key in this database, if there is such a project. Remembered for the transaction:
  /// most operations that share one are about the same project.
  func key(of project: ProjectID) throws -> Int64? {
    if let knownProject, knownProject.id == project { return knownProject.key }
    let key = try connection.first(ProjectSQL.key, .text(project.text)) { $0.integer(0) }
    knownProject = key.map { (project, $0) }
    return key
  }

  /// The key of a project that is about to get a row.
  ///
  /// - Throws: `StoreError.conflict` with `project` if there is no such project (any more).
  func existingKey(of project: ProjectID) throws -> Int64 {
    guard let key = try key(of: project) else { throw StoreError.conflict(.project) }
    return key
  }

  func attempt<Value>(_ body: () throws -> Value) throws -> Result<Value, any Error> {
    try connection.run(TransactionSQL.savepointWithin)
    do {
      let value = try body()
      try connection.run(TransactionSQL.releaseWithin)
      return .success(value)
    } catch let error as StoreError {
      // The operation's own savepoint undoes this one with it.
      throw error
    } catch {
      forgetProject()
      try connection.run(TransactionSQL.undoWithin)
      try connection.run(TransactionSQL.releaseWithin)
      return .failure(error)
    }
  }

  /// To be called when the project's row may have gone.
  func forgetProject() { knownProject = nil }

  func countChange() throws {
    try connection.run(ServerSQL.countChange)
  }
}
