import GatehouseProtocol

/// One transaction's view of the records, on one connection. The statements of a capability are in its folder, in
/// extensions of this class.
package final class Transaction {
  package let connection: any SQLConnection
  let sealing: any SecretSealing
  private var knownProject: (id: ProjectID, key: Int64)?
  /// How many live sessions an account has: all of them, and those on a device (nil: on any).
  /// Dropped when the transaction changes a session.
  var knownLiveSessions:
    (project: ProjectID, uid: UID, device: [UInt8]?, count: (all: Int, onDevice: Int))?

  package init(_ connection: any SQLConnection, sealing: any SecretSealing) {
    self.connection = connection
    self.sealing = sealing
  }

  /// The project's key in this database, if the project exists. Cached for the transaction: most
  /// operations that share a transaction concern the same project.
  func key(of project: ProjectID) throws -> Int64? {
    if let knownProject, knownProject.id == project { return knownProject.key }
    if let key = connection.rememberedKey(ofProject: project.text) { return key }
    let key = try connection.first(ProjectSQL.key, .text(project.text)) { $0.integer(0) }
    knownProject = key.map { (project, $0) }
    if let key { connection.remember(key, ofProject: project.text) }
    return key
  }

  /// The key of a project to which a row is about to be added.
  ///
  /// - Throws: `StoreError.conflict` with `project` if the project doesn't exist.
  func existingKey(of project: ProjectID) throws -> Int64 {
    guard let key = try key(of: project) else { throw StoreError.conflict(.project) }
    return key
  }

  /// The account's key in this database, if the account exists.
  func accountKey(_ uid: UID, in project: ProjectID) throws -> Int64? {
    guard let project = try key(of: project) else { return nil }
    return try connection.first(
      AccountSQL.key, .integer(project), .text(uid.text)
    ) { $0.integer(0) }
  }

  /// Runs `body`. If it throws an error, what it wrote is undone and the error is returned. What
  /// the transaction wrote before stays.
  ///
  /// - Throws: ``StoreError``. If `body` throws a ``StoreError``, it is thrown here and not
  ///   returned, because the whole transaction must fail.
  package func attempt<Value>(_ body: () throws -> Value) throws -> Result<Value, any Error> {
    knownLiveSessions = nil
    defer { knownLiveSessions = nil }
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
      try connection.run(SavepointSQL.undoWithin)
      try connection.run(SavepointSQL.releaseWithin)
      return .failure(error)
    }
  }

  func forgetProject() {
    knownProject = nil
    connection.forgetProjectKeys()
  }

  /// Tells other processes that a setting changed, and records the event. Every function that
  /// changes a setting calls this one. `SettingEventTests` lists the tables with settings.
  ///
  /// - Parameter details: More than the setting's name and the change.
  func recordSetting(
    _ setting: SettingName, _ change: SettingName.Change = .saved,
    details: [String: String] = [:], in project: ProjectID?
  ) throws {
    try connection.run(ServerSQL.countChange)
    try record(
      .settingChanged, of: nil, details: details.merging(setting.details(change)) { $1 },
      in: project,
      now: EventOrigin.current.clock())
  }
}
