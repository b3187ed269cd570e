import Foundation
import GatehouseAccounts
import GatehouseOperation
import GatehousePostgres
import GatehouseSQLite

/// Where the records are, and the source of the master key.
struct DataPlace: Sendable {
  /// SQLite's folder. With PostgreSQL, `--dev` keeps its master key there.
  var folder: String
  /// Nil: SQLite.
  var postgres: PostgresAddress?
  var masterKey: MasterKeySource

  /// As it follows “the database”.
  var name: String { postgres.map { $0.name } ?? "in \(folder)" }

  /// The flag with which a command finds this place.
  var flag: String {
    postgres == nil
      ? "\(Settings.data.flag) \(folder)" : "\(Settings.database.flag) postgres://…"
  }

  /// The file that contains the master keys; nil if they are given as a value.
  var keyFile: String? { masterKey.keyFile(dataFolder: folder) }

  func masterKeys(mayMake: Bool = false) throws -> MasterKeyRing {
    try masterKey.load(dataFolder: folder, mayMake: mayMake)
  }

  /// The server values, read before the store is opened; nil if there is no database, or one without
  /// tables. Nothing is migrated.
  func serverValues() throws -> [String: [UInt8]]? {
    if let postgres { return try PostgresStore.serverValues(postgres) }
    return try SQLiteStore.serverValues(at: URL(fileURLWithPath: folder, isDirectory: true))
  }

  /// Opens the store, and brings its tables up to date.
  func open(sealing: any SecretSealing) throws -> any Store {
    if let postgres { return try PostgresStore.open(postgres, sealing: sealing) }
    return try SQLiteStore.open(
      at: URL(fileURLWithPath: folder, isDirectory: true), sealing: sealing)
  }

  /// The servers that run on the database.
  func servers(now: Date) throws -> [ServingServer] {
    guard postgres != nil else {
      return ServingMark.running(in: folder).map {
        ServingServer(name: "process \($0.process)", masterKeys: $0.masterKeys)
      }
    }
    return RunningServers.running(try serverValues() ?? [:], now: now).map {
      ServingServer(name: "process \($0.process) on \($0.host)", masterKeys: $0.masterKeys)
    }
  }

  /// - Throws: ``CommandFailure`` if a server runs.
  func refuseWhileServing(_ reason: String) throws {
    guard let server = try servers(now: Date()).first else { return }
    throw CommandFailure(
      "a server uses the database \(name) (\(server.name)): stop it first\(reason)"
        + (postgres == nil
          ? ""
          : ". A server that was killed counts for \(Int(RunningServers.silenceSeconds)) more seconds")
    )
  }
}

extension SettingReader {
  mutating func dataPlace() -> DataPlace {
    var postgres = read(Settings.database)
    postgres?.connections = read(Settings.postgresConnections)
    postgres?.statementSeconds = read(Settings.postgresStatementSeconds)
    postgres?.waitSeconds = read(Settings.postgresWaitSeconds)
    return DataPlace(folder: read(Settings.data), postgres: postgres, masterKey: masterKey())
  }
}

/// A server that runs on a database.
struct ServingServer: Hashable, Sendable {
  /// Its process, and where it runs if that may be elsewhere.
  let name: String
  /// The ids of the master keys that it holds, in hexadecimal.
  let masterKeys: [String]
}
