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
  /// Mode and master key are compared before anything is changed: a database of a wrong one stays as
  /// it is, also where this program would bring its tables up to date.
  ///
  /// - Parameters:
  ///   - required: What the database has to be made for; nil takes either: commands work on both.
  ///   - making: What to make it for if there is none, or one whose making was broken off; nil
  ///     refuses then.
  /// - Throws: ``CommandFailure`` with a remedy if the mode or the master key is another one's.
  static func open(
    _ folder: String, masterKey source: MasterKeySource, requiring required: Mode?,
    making: Mode?
  ) async throws -> OpenDatabase {
    let exists = exists(in: folder)
    if !exists {
      guard making != nil else {
        throw CommandFailure(
          "there is no database in \(folder); name its folder with --data, or make one with "
            + "`gatehouse projects create ID --data \(folder)`")
      }
      try makeFolder(folder)
    }
    let masterKeys = try source.load(
      dataFolder: folder, mayMake: making == .development && !exists)
    let check = Check(folder: folder, masterKeys: masterKeys, required: required, making: making)
    do {
      return try await check.open()
    } catch let error as StoreError {
      guard case .unavailable = error, let fault = FolderTrial.fault(in: folder) else {
        throw error
      }
      throw CommandFailure("the database in \(folder) can't be opened: \(fault)")
    }
  }

  static func exists(in folder: String) -> Bool {
    FileManager.default.fileExists(atPath: folder + "/" + SQLiteStore.fileName)
  }

  static func makeFolder(_ folder: String) throws {
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw CommandFailure(
        "the data folder \(folder) can't be made: "
          + (FolderTrial.fault(in: folder) ?? error.localizedDescription))
    }
  }
}

extension OpenDatabase {
  /// Holds a database against what it is opened with.
  private struct Check: Sendable {
    let folder: String
    let masterKeys: MasterKeyRing
    let required: Mode?
    let making: Mode?

    private static let mode = "mode"
    private static let names = [mode, MasterKeyRotation.Value.check, MasterKeyRotation.Value.id]

    func open() async throws -> OpenDatabase {
      let url = URL(fileURLWithPath: folder, isDirectory: true)
      let stored = try SQLiteStore.serverValues(Self.names, at: url) ?? [:]
      try compare(stored)
      let store = try SQLiteStore.open(at: url, sealing: SecretBox(masterKeys))
      do {
        try await stamp(store)
      } catch {
        await store.close()
        throw error
      }
      return OpenDatabase(store: store, masterKeys: masterKeys)
    }

    /// A database that wasn't stamped yet is made for what was asked for.
    private func stamp(_ store: any Store) async throws {
      let stored = try await store.write { transaction -> [String: [UInt8]] in
        if try transaction.serverValue(Self.mode) == nil, let making {
          try transaction.setServerValue(Self.mode, to: Array(making.rawValue.utf8))
          try MasterKeyRotation.stamp(transaction, with: masterKeys.current)
        }
        var stored: [String: [UInt8]] = [:]
        for name in Self.names {
          stored[name] = try transaction.serverValue(name)
        }
        return stored
      }
      // Another process may have stamped it in between.
      try compare(stored)
    }

    private func compare(_ stored: [String: [UInt8]]) throws {
      guard let mode = stored[Self.mode] else {
        guard making == nil else { return }
        throw CommandFailure(
          "the making of the database in \(folder) was broken off; finish it with `gatehouse "
            + "projects create ID --data \(folder)`")
      }
      if let required, mode != Array(required.rawValue.utf8) {
        throw CommandFailure(
          required == .development
            ? "the database in \(folder) is a production one; --dev makes everybody an "
              + "administrator and won't open it. Name another folder with --data"
            : "the database in \(folder) was made by --dev and is not for production. Name another "
              + "folder with --data, and make a project with `gatehouse projects create`")
      }
      guard let known = stored[MasterKeyRotation.Value.check],
        masterKeys.select(checkValue: known)
      else {
        throw CommandFailure(
          "the master key is not the one of the database in \(folder), which has the id "
            + "\(MasterKeyName.of(stored[MasterKeyRotation.Value.id])); the one given has "
            + "\(masterKeys.current.name). Nothing was changed. Give the key that the database "
            + "was made with")
      }
    }
  }
}
