import Foundation
import GatehouseServer

/// Where the records are, and the source of the master key.
struct DataPlace: Sendable {
  /// SQLite's folder. With another engine, `--dev` keeps its master key there.
  var folder: String
  var engine: any DatabaseEngines.Engine
  var masterKey: MasterKeySource

  /// The database's name in messages, after the words “the database”.
  var name: String { engine.name }

  /// The flag with which a command finds this place.
  var flag: String { engine.flag }

  /// The file that contains the master keys; nil if they are given as a value.
  var keyFile: String? { masterKey.keyFile(dataFolder: folder) }

  func masterKeys(mayMake: Bool = false) throws -> MasterKeyRing {
    try masterKey.load(dataFolder: folder, mayMake: mayMake, missing: missingKey)
  }

  /// What to say if there is no master key: an existing database needs its own.
  var missingKey: String {
    guard let id = try? engine.serverValues()?[MasterKeyRotation.Value.id] else {
      return MasterKeySource.missing
    }
    return
      "there is no master key. The database \(name) needs the one with the id \(MasterKeyName.of(id)). Give it "
      + "as \(Settings.masterKey.environmentName) or with \(Settings.masterKeyFile.flag) FILE (mode 0600). A new "
      + "key can't decrypt it"
  }

  /// The servers that run on the database.
  func servers(now: Date) throws -> [ServingServer] {
    guard engine.isShared else { return engine.localServers() }
    return RunningServers.running(try engine.serverValues() ?? [:], now: now).map {
      ServingServer(name: "process \($0.process) on \($0.host)", masterKeys: $0.masterKeys)
    }
  }

  /// - Throws: ``CommandFailure`` if a server runs.
  func refuseWhileServing(_ reason: String) throws {
    guard let server = try servers(now: Date()).first else { return }
    throw CommandFailure(
      "a server uses the database \(name) (\(server.name)): stop it first\(reason)"
        + (engine.isShared
          ? ". A server that was killed counts as running for \(Int(RunningServers.silenceSeconds)) "
            + "more seconds"
          : ""))
  }

  /// Runs `body`. If the database can't be used because of its disk or folder, the error says so.
  ///
  /// - Parameter hint: A further sentence for this error.
  func explainingFaults<Result>(
    _ hint: String = "", _ body: () async throws -> Result
  ) async throws -> Result {
    do {
      return try await body()
    } catch let error as StoreError {
      switch error {
      case .unavailable, .readOnly:
        guard let fault = engine.openingFault() else { throw error }
        throw CommandFailure("the database \(name) can't be opened: \(fault)\(hint)")
      default: throw error
      }
    }
  }

  /// A running server of an earlier version can't work with tables that this version has migrated. With a
  /// shared engine, each migration says whether it can.
  ///
  /// - Throws: ``CommandFailure`` if the tables lack migrations and a server runs.
  func refuseToMigrateWhileServing() throws {
    guard !engine.isShared, let missing = try? engine.missingSteps(), missing > 0 else { return }
    try refuseWhileServing(
      ". It is of an earlier version, and could not work with the tables of this version. Nothing was "
        + "changed")
  }

  static func makeFolder(_ folder: String) throws {
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw CommandFailure(
        "the data folder \(folder) can't be created: "
          + (FolderTrial.fault(in: folder) ?? error.localizedDescription))
    }
  }
}

extension SettingReader {
  mutating func dataPlace() -> DataPlace {
    let folder = read(Settings.data)
    return DataPlace(
      folder: folder, engine: DatabaseEngines.configured(&self, folder: folder),
      masterKey: masterKey())
  }
}

/// A server that runs on a database.
struct ServingServer: Hashable, Sendable {
  /// Its process, and where it runs if that may be elsewhere.
  let name: String
  /// The ids of the master keys that it holds, in hexadecimal.
  let masterKeys: [String]
}
