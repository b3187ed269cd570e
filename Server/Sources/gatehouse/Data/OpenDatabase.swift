import Foundation
import GatehouseServer
import GatehouseProtocol

/// An open database with its master keys, which were compared with the database.
struct OpenDatabase: Sendable {
  let store: any Store
  /// The current key, which encrypts, is the one that the database names.
  let masterKeys: MasterKeyRing
  /// The vault's own keys; nil if the master key encrypts the vault.
  let vaultKeys: MasterKeyRing?

  enum Mode: String, Sendable {
    case development = "dev"
    case production
  }

  /// Opens the database of a place. If there is none, creates it or throws, as `making` says. An empty
  /// file is not taken for a new database: it may be the rest of one.
  ///
  /// The mode and the master key are compared before anything is changed. If one of them is wrong,
  /// the database stays unchanged, and its tables are not migrated.
  ///
  /// - Parameters:
  ///   - required: The mode that the database must have; nil accepts both, as commands do.
  ///   - making: The mode of a new database if there is none, or if its creation was interrupted;
  ///     nil throws in both cases.
  ///   - migrating: Whether the tables of an existing database are migrated, as a server does. If
  ///     not, and they lack migrations, throws: older servers may be running, and an older version
  ///     can't open a SQLite database afterwards.
  /// - Throws: ``CommandFailure`` with a remedy if the mode or the master key is not the
  ///   database's, or if a server of an earlier version runs and can't work with migrated tables.
  static func open(
    _ place: DataPlace, requiring required: Mode?, making: Mode?, migrating: Bool
  ) async throws -> OpenDatabase {
    try await place.explainingFaults {
      try await openReporting(place, requiring: required, making: making, migrating: migrating)
    }
  }

  /// Reads records of an existing database in one transaction, after the same comparison. Nothing
  /// is migrated or changed.
  ///
  /// - Returns: Nil if the tables lack migrations.
  /// - Throws: ``CommandFailure`` like ``open(_:requiring:making:migrating:)``, and what `body`
  ///   throws.
  static func read<Result>(
    _ place: DataPlace, _ masterKeys: MasterKeyRing, requiring required: Mode,
    _ body: (Transaction) throws -> Result
  ) async throws -> Result? {
    let check = Check(
      place: place, masterKeys: masterKeys, vaultKeys: try await place.masterKey.vault?.load(),
      isLeavingVault: false, required: required, making: nil, migrating: false)
    return try check.read(body)
  }

  private static func openReporting(
    _ place: DataPlace, requiring required: Mode?, making: Mode?, migrating: Bool
  ) async throws -> OpenDatabase {
    let state = try place.engine.state()
    let isNew = [.missing, .begun].contains(state)
    if let fault = place.engine.fault(of: state), making == nil || !isNew { throw fault }
    if state == .missing {
      if making == .development { try DataPlace.makeFolder(place.folder) }
      try place.engine.prepare()
    }
    let masterKeys = try place.masterKeys(mayMake: making == .development && isNew)
    let check = Check(
      place: place, masterKeys: masterKeys, vaultKeys: try await place.masterKey.vault?.load(),
      isLeavingVault: place.masterKey.isLeavingVault, required: required, making: making,
      migrating: migrating)
    return try await check.open()
  }

  /// The name of the server value with the mode.
  static let modeValue = "mode"
}

extension OpenDatabase {
  /// Compares a database with the mode and the master keys with which it is opened.
  private struct Check: Sendable {
    let place: DataPlace
    let masterKeys: MasterKeyRing
    let vaultKeys: MasterKeyRing?
    let isLeavingVault: Bool
    let required: Mode?
    let making: Mode?
    let migrating: Bool

    private static let names = [
      modeValue, DatabaseCopy.stateName, MasterKeyRotation.Value.check, MasterKeyRotation.Value.id,
      MasterKeyRotation.Value.former, VaultKeys.check, VaultKeys.former,
    ]

    func open() async throws -> OpenDatabase {
      let stored = try place.engine.serverValues() ?? [:]
      try compare(stored)
      if stored[modeValue] != nil {
        if migrating { try place.refuseToMigrateWhileServing() } else { try refuseOldTables() }
      }
      let store = try place.engine.open(sealing: sealing)
      do {
        try await stamp(store)
      } catch {
        await store.close()
        throw error
      }
      return OpenDatabase(store: store, masterKeys: masterKeys, vaultKeys: vaultKeys)
    }

    func read<Result>(_ body: (Transaction) throws -> Result) throws -> Result? {
      try compare(try place.engine.serverValues() ?? [:])
      return try place.engine.read(sealing: sealing, body)
    }

    private var sealing: any SecretSealing {
      let master = SecretBox(masterKeys)
      guard let vaultKeys else { return master }
      return VaultBox(
        master: master, vault: SecretBox(vaultKeys), isLeaving: isLeavingVault)
    }

    /// Records the mode and the current master key in a database that doesn't have them yet.
    private func stamp(_ store: any Store) async throws {
      let stored = try await store.write { transaction -> [String: [UInt8]] in
        if try transaction.serverValue(modeValue) == nil, let making {
          // The first transaction records the mode, so a database without it has nothing.
          guard try transaction.projects().isEmpty else {
            throw CommandFailure(
              "the database \(place.name) has projects but no mode: it is damaged. Restore a backup. Nothing was "
                + "changed")
          }
          try transaction.setServerValue(modeValue, to: Array(making.rawValue.utf8))
          try MasterKeyRotation.stamp(transaction, with: masterKeys.current)
        }
        if let vaultKeys, !isLeavingVault {
          try VaultKeys.stamp(transaction, with: vaultKeys.current)
        }
        var stored: [String: [UInt8]] = [:]
        for name in Self.names {
          stored[name] = try transaction.serverValue(name)
        }
        return stored
      }
      // Another process may have recorded them in the meantime.
      try compare(stored)
    }

    private func compare(_ stored: [String: [UInt8]]) throws {
      guard stored[DatabaseCopy.stateName] == nil, let mode = stored[modeValue] else {
        let state = DatabaseState(of: stored)
        if state == .begun, making != nil { return }
        throw place.engine.fault(of: state) ?? CommandFailure("there is no database \(place.name)")
      }
      if let required, mode != Array(required.rawValue.utf8) {
        throw CommandFailure(
          required == .development
            ? "the database \(place.name) is for production. --dev doesn't open it, because with "
              + "--dev every caller can act as an administrator. Name another folder with --data"
            : "the database \(place.name) was created by --dev and is not for production. Name "
              + "another folder with --data, and create a project with `gatehouse projects create`")
      }
      guard let known = stored[MasterKeyRotation.Value.check],
        masterKeys.select(
          checkValue: known,
          former: FormerMasterKey.list(stored[MasterKeyRotation.Value.former]))
      else {
        throw CommandFailure(
          "the master key is not the one of the database \(place.name), which has the id "
            + "\(MasterKeyName.of(stored[MasterKeyRotation.Value.id])); the given key has the id "
            + "\(masterKeys.current.name). Nothing was changed. Give the key of the database")
      }
      guard let vault = stored[VaultKeys.check], !vault.isEmpty else {
        if vaultKeys != nil, !isLeavingVault { try refuseWhileServing() }
        return
      }
      guard let vaultKeys else {
        throw CommandFailure(
          "the database \(place.name) has a key of its own for providers' tokens: set "
            + "\(Settings.vaultKeyCommand.key) (\(Settings.vaultKeyCommand.environmentName))")
      }
      let needed = [vault] + VaultKeys.checkValues(stored[VaultKeys.former] ?? [])
      guard needed.allSatisfy({ check in vaultKeys.keys.contains { $0.checkValue == check } })
      else {
        throw CommandFailure(
          "\(Settings.vaultKeyCommand.key) prints another key than the one that encrypts the "
            + "providers' tokens in the database \(place.name). Nothing was changed. To change the key, print the new "
            + "one and the old one, and run `gatehouse keys reseal-vault`")
      }
      guard vault != vaultKeys.current.checkValue else { return }
      try refuseWhileServing()
    }

    /// Otherwise opening the store would migrate the tables.
    private func refuseOldTables() throws {
      guard let missing = try place.engine.missingSteps(), missing > 0 else { return }
      throw CommandFailure(
        "the tables of the database \(place.name) are \(missing) migrations behind this version. "
          + "Nothing was changed. Make a backup, then start the server of this version or run "
          + "`gatehouse migrate`: both migrate the tables")
    }

    /// A running server doesn't have the new key: it couldn't read what this process encrypts.
    private func refuseWhileServing() throws {
      try place.refuseWhileServing(
        ", because the key of \(Settings.vaultKeyCommand.key) is new")
    }
  }
}
