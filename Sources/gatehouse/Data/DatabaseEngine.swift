import GatehouseAccounts
import GatehouseFederation
import GatehouseSQL

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

  /// Whether a Gatehouse database is there. Its creation may have been interrupted.
  func exists() throws -> Bool
  /// Creates what must exist before the first ``open(sealing:)``.
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
    sealing: any SecretSealing, _ body: (any StoreTransaction) throws -> Result
  ) throws -> Result?
  /// The same database, whose operations may run for as long as they need.
  func withoutTimeLimit() -> Self
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

extension DatabaseEngine {
  func prepare() throws {}
  func withoutTimeLimit() -> Self { self }
  func localServers() -> [ServingServer] { [] }
}

extension DatabaseMaintenance {
  func openingFault() -> String? { nil }
  func warnings(isFlag: Bool) -> [String] { [] }
  func fileFindings() -> [Finding] { [] }
}
