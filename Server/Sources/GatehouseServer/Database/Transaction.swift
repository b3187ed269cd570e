import GatehouseProtocol

/// One transaction's view of the records, on one connection. The statements of a capability are in its folder, in
/// extensions of this class.
package final class Transaction {
  package let connection: any SQLConnection
  let sealing: any SecretSealing
  /// The project of the last ``key(of:)``.
  var knownProject: (id: ProjectID, key: Int64)?
  /// How many live sessions an account has: all of them, and those on a device (nil: on any).
  /// Dropped when the transaction changes a session.
  var knownLiveSessions:
    (project: ProjectID, uid: UID, device: [UInt8]?, count: (all: Int, onDevice: Int))?
  /// The events of the present ``StoreOperation``.
  var events: [Event] = []

  package init(_ connection: any SQLConnection, sealing: any SecretSealing) {
    self.connection = connection
    self.sealing = sealing
  }

  /// Runs `body`. If it throws an error, what it wrote is undone and the error is returned. What
  /// the transaction wrote before stays.
  ///
  /// - Throws: ``StoreError``. If `body` throws a ``StoreError``, it is thrown here and not
  ///   returned, because the whole transaction must fail.
  package func attempt<Value>(_ body: () throws -> Value) throws -> Result<Value, any Error> {
    knownLiveSessions = nil
    defer { knownLiveSessions = nil }
    let before = events.count
    try connection.run(SavepointSQL.savepointWithin)
    do {
      let value = try body()
      try connection.run(SavepointSQL.releaseWithin)
      return .success(value)
    } catch let error as StoreError {
      // The rollback to the operation's own savepoint undoes this one too.
      throw error
    } catch {
      forgetProject()
      events.removeLast(events.count - before)
      try connection.run(SavepointSQL.undoWithin)
      try connection.run(SavepointSQL.releaseWithin)
      return .failure(error)
    }
  }

  func forgetProject() {
    knownProject = nil
    connection.forgetProjectKeys()
  }
}
