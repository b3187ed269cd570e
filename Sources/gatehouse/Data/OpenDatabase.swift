import Foundation
import GatehouseAccounts
import GatehouseModel
import GatehouseOperation
import GatehouseSQLite

/// An open database with its master keys, after it was checked that they belong together.
struct OpenDatabase: Sendable {
  let store: any Store
  /// The one that seals is the one that the database names.
  let masterKeys: MasterKeyRing

  enum Mode: String, Sendable {
    case development = "dev"
    case production
  }

  /// Opens the database in the folder, and makes it if there is none.
  ///
  /// - Parameter mode: Nil takes whatever the database was made for: commands work on both.
  /// - Throws: ``CommandFailure`` with a remedy if the mode or the master key is another one's.
  static func open(
    _ folder: String, masterKey source: MasterKeySource, mode: Mode?
  ) async throws -> OpenDatabase {
    let exists = exists(in: folder)
    if !exists {
      guard mode != nil else {
        throw CommandFailure(
          "there is no database in \(folder); name its folder with --data, or make one with "
            + "`gatehouse projects create ID --data \(folder)`")
      }
      try makeFolder(folder)
    }
    let masterKeys = try source.load(
      dataFolder: folder, mayMake: mode == .development && !exists)
    return try await connect(folder, masterKeys, mode)
  }

  static func exists(in folder: String) -> Bool {
    FileManager.default.fileExists(atPath: folder + "/" + SQLiteStore.fileName)
  }

  private static func connect(
    _ folder: String, _ masterKeys: MasterKeyRing, _ mode: Mode?
  ) async throws -> OpenDatabase {
    let store = try SQLiteStore.open(
      at: URL(fileURLWithPath: folder, isDirectory: true), sealing: SecretBox(masterKeys))
    do {
      try await check(store, masterKeys, mode, folder)
    } catch {
      await store.close()
      throw error
    }
    return OpenDatabase(store: store, masterKeys: masterKeys)
  }

  private static func check(
    _ store: any Store, _ masterKeys: MasterKeyRing, _ mode: Mode?, _ folder: String
  ) async throws {
    let stamp = try await store.write { transaction -> [UInt8] in
      if let stamp = try transaction.serverValue("mode") { return stamp }
      let stamp = Array((mode ?? .production).rawValue.utf8)
      try transaction.setServerValue("mode", to: stamp)
      try MasterKeyRotation.stamp(transaction, with: masterKeys.current)
      return stamp
    }
    if let mode, stamp != Array(mode.rawValue.utf8) {
      throw CommandFailure(
        mode == .development
          ? "the database in \(folder) is a production one; --dev makes everybody an administrator "
            + "and won't open it. Name another folder with --data"
          : "the database in \(folder) was made by --dev and is not for production. Name another "
            + "folder with --data, and make a project with `gatehouse projects create`")
    }
    guard try await MasterKeyRotation.select(in: masterKeys, store: store) else {
      let id = try await store.read { try $0.serverValue("masterKeyID") }
      throw CommandFailure(
        "the master key is not the one of the database in \(folder), which has the id "
          + "\(MasterKeyName.of(id)); the one given has \(masterKeys.current.name). Nothing was "
          + "changed. Give the key that the database was made with")
    }
  }

  static func makeFolder(_ folder: String) throws {
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw CommandFailure(
        "the data folder \(folder) can't be made: \(error.localizedDescription)")
    }
  }
}
