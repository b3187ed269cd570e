import Foundation
import GatehouseServer

/// A PostgreSQL database, which servers on several machines may share.
struct PostgresEngine: DatabaseEngine, DatabaseMaintenance {
  var address: PostgresAddress
  /// Nil for a database that is only copied.
  var timelines: TimelineFile?

  var name: String { address.name }
  var flag: String { "\(Settings.database.flag) postgres://…" }
  var isShared: Bool { true }

  func serverValues() throws -> [String: [UInt8]]? { try PostgresStore.serverValues(address) }

  func open(sealing: any SecretSealing) throws -> any Store {
    try PostgresStore.open(address, sealing: sealing, memory: timelines)
  }

  func read<Result>(
    sealing: any SecretSealing, _ body: (Transaction) throws -> Result
  ) throws -> Result? {
    try PostgresStore.records(at: address, sealing: sealing, body)
  }

  func forCommand() -> Self {
    var engine = self
    engine.address.statementSeconds = nil
    engine.timelines?.isReadOnly = true
    return engine
  }

  func warnings(isFlag: Bool) -> [String] {
    var warnings: [String] = []
    if address.isExposed {
      warnings.append(
        "the connection to PostgreSQL is not protected against others in the network: remove "
          + "sslmode from \(Settings.database.key) and PGSSLMODE from the environment, or set it to "
          + "verify-full")
    }
    if isFlag, address.hasPassword {
      warnings.append(
        "other users of this machine can read the password in \(Settings.database.flag): give "
          + "\(Settings.database.environmentName), or the password in PGPASSFILE")
    }
    return warnings
  }

  // MARK: Maintenance

  func withCopyEnd<Result>(_ body: (any SQLCopyEnd) throws -> Result) throws -> Result {
    try PostgresStore.withCopyEnd(at: address, body)
  }

  func missingSteps() throws -> Int? { try PostgresStore.missingSteps(address) }

  func migrate() throws -> [String] { try PostgresStore.migrate(address) }

  func confirmTimeline(_ number: Int, now: Date) throws {
    try PostgresTimeline.confirm(number, at: address, now: now)
  }

  /// PostgreSQL has tools of its own, which also restore to any moment.
  func backupFolder() throws -> String {
    throw CommandFailure(
      "the database \(name) is backed up and restored with PostgreSQL's own tools. Small: "
        + "`pg_dump --format=custom` and `pg_restore`. Without losing a minute: `pg_basebackup` and "
        + "the archive of its log, as pgBackRest or WAL-G keep them. Keep the master key apart from "
        + "the backups")
  }
}
