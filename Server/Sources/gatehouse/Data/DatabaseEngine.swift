import Foundation
import GatehouseServer

/// A kind of database, as the server and the commands use it.
///
/// To add one, conform a type here, with its findings in `Doctor/Checks`, and choose it in
/// `DatabaseEngines`. Nothing else asks which engine a database has.
protocol DatabaseEngine: Sendable {
  /// The database's name in messages, after the words “the database”.
  var name: String { get }
  /// The flag with which a command finds the database.
  var flag: String { get }
  /// Whether servers on several machines may use the database. Then they announce themselves in it. One
  /// of them removes expired records and links events for all.
  var isShared: Bool { get }

  /// What is where the database should be.
  func state() throws -> DatabaseState
  /// The database's file and its size, for messages, in parentheses; empty if it isn't a file.
  var file: String { get }
  /// Creates what must exist before the first ``open(sealing:)`` of a new database.
  ///
  /// - Throws: ``CommandFailure`` if what is there may be the rest of another database.
  func prepare() throws
  /// The server values, read before the store is opened; nil if there is no database, or one without
  /// tables. Nothing is migrated.
  func serverValues() throws -> [String: [UInt8]]?
  /// Opens the store, and brings its tables up to date.
  func open(sealing: any SecretSealing) throws -> any Store
  /// Reads records of an existing database in one transaction. Nothing is migrated or changed.
  ///
  /// - Returns: Nil if the tables lack migrations: the records need all of them.
  func read<Result>(
    sealing: any SecretSealing, _ body: (Transaction) throws -> Result
  ) throws -> Result?
  /// The same database, as a command uses it: operations may run for as long as they need.
  func forCommand() -> Self
  /// The servers on this machine that use the database. Called only if it isn't shared.
  func localServers() -> [ServingServer]
}

/// What messages to operators, `doctor` and other commands need of a database.
protocol DatabaseMaintenance {
  func withCopyEnd<Result>(_ body: (any SQLCopyEnd) throws -> Result) throws -> Result
  /// How many migrations the tables lack; nil if there is no database.
  func missingSteps() throws -> Int?
  /// Applies the migrations that the tables lack.
  ///
  /// - Returns: Their names.
  /// - Throws: ``CommandFailure`` if the engine needs an existing database and there is none.
  func migrate() throws -> [String]
  /// Records that the primary has the history to keep, although servers have used a newer timeline.
  ///
  /// - Throws: `StoreError.unavailable` if the primary is on another timeline; ``CommandFailure`` if the engine
  ///   has no timelines.
  func confirmTimeline(_ number: Int, now: Date) throws
  /// The folder that `backup` and `restore` work on.
  ///
  /// - Throws: ``CommandFailure`` if the engine has its own tools for backups. The message names them.
  func backupFolder() throws -> String

  /// Why the database can't be opened, if the engine can tell more than its error does.
  func openingFault() -> String?
  /// What an operator should know about the settings.
  ///
  /// - Parameter isFlag: Whether the address was given as a flag, which other users of the machine can read.
  func warnings(isFlag: Bool) -> [String]

  /// The findings of `doctor` about files of the database that are on this machine.
  func fileFindings() -> [Finding]
  /// The other findings of `doctor`.
  ///
  /// - Parameters:
  ///   - mode: The mode that the server requires.
  ///   - keys: The given master keys; nil if they couldn't be read, which another finding reports.
  /// - Returns: Whether there is a database that further checks can use.
  func findings(
    mode: OpenDatabase.Mode, keys: MasterKeyRing?
  ) -> (findings: [Finding], hasDatabase: Bool)
}

/// What is where a database should be.
enum DatabaseState: Hashable, Sendable {
  case missing
  /// SQLite's file is too short for a database. Perhaps it was longer, so no command takes it for a new one.
  case emptied
  /// The database has no mode yet: its creation was interrupted.
  case begun
  /// A copy into the database isn't finished.
  case copying
  case complete

  /// The state of a database that has tables.
  init(of values: [String: [UInt8]]) {
    if values[DatabaseCopy.stateName] != nil {
      self = .copying
    } else {
      self = values[OpenDatabase.modeValue] == nil ? .begun : .complete
    }
  }
}

extension DatabaseEngine {
  var file: String { "" }

  func state() throws -> DatabaseState {
    try serverValues().map(DatabaseState.init(of:)) ?? .missing
  }

  /// Only `projects create`, and `serve --dev`, create a database.
  ///
  /// - Throws: ``CommandFailure`` if there is no complete database.
  func refuseUnlessComplete() throws {
    if let fault = fault(of: try state()) { throw fault }
  }

  /// Why a command can't use a database in this state; nil if it can.
  func fault(of state: DatabaseState) -> CommandFailure? {
    switch state {
    case .complete: nil
    case .missing where isShared:
      CommandFailure(
        "the database \(name) has no tables yet; `gatehouse projects create ID \(flag)` makes them, and so does "
          + "`gatehouse migrate \(flag)`")
    case .missing:
      CommandFailure(
        "there is no database \(name)\(file); name its folder with --data, or PostgreSQL with "
          + "--database, or create one with `gatehouse projects create ID \(flag)`, or with `gatehouse "
          + "console invite NAME --role owner \(flag)`")
    case .emptied:
      CommandFailure(
        "the database \(name) is too short\(file). Nothing was changed. If it had data, restore a backup: "
          + "`gatehouse restore FILE \(flag)`. If its creation failed, remove the file and repeat it"
      )
    case .begun:
      CommandFailure(
        "the creation of the database \(name)\(file) was interrupted; finish it with `gatehouse "
          + "projects create ID \(flag)`")
    case .copying:
      CommandFailure(
        "the database \(name) contains an unfinished copy: to continue it, run the same `gatehouse "
          + "copy` again")
    }
  }

  func prepare() throws {}
  func forCommand() -> Self { self }
  func localServers() -> [ServingServer] { [] }
}

extension DatabaseMaintenance {
  func confirmTimeline(_ number: Int, now: Date) throws {
    throw CommandFailure("only PostgreSQL has timelines: name the database with --database")
  }

  func openingFault() -> String? { nil }
  func warnings(isFlag: Bool) -> [String] { [] }
  func fileFindings() -> [Finding] { [] }
}
