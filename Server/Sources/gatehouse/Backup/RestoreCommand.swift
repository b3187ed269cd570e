import ArgumentParser
import Foundation
import GatehouseServer

struct RestoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Replace the database with a backup.",
    discussion: """
      Stop every server first. The command reads the whole backup and checks that it belongs to \
      the master key. The former database is kept next to the new one. Everything that happened \
      after the backup is undone: accounts that were deleted since then exist again, and sessions \
      that were revoked since then are valid again. The command has no --server: run it on the \
      server's machine.
      """)

  @Argument(help: "The backup.")
  var file: String

  @OptionGroup var data: DataOptions

  func run() async throws {
    let place = try data.place()
    let folder = try place.engine.backupFolder()
    // A database that can't be read is replaced, and kept.
    let isNew = (try? place.engine.state()) == .missing
    try place.refuseWhileServing(", then restore. Nothing was replaced")
    let keys = try place.masterKeys()
    if isNew { try place.engine.prepare() }
    let url = URL(fileURLWithPath: folder, isDirectory: true)
    let restore = try DatabaseRestore.stage(file, in: url)
    let old: String?
    do {
      try check(restore.facts, keys, isNew ? nil : try? DatabaseFile(in: url).facts())
      old = try restore.replace(suffix: ".before-" + BackupNames.stamp(Date()))
    } catch {
      restore.discard()
      throw error
    }
    Terminal.say(
      "Restored: \(restore.facts.projects) projects, \(restore.facts.accounts) accounts.")
    if let old { Terminal.say("The former database is \(old): remove it when everything works.") }
  }

  private func check(
    _ backup: DatabaseFacts, _ keys: MasterKeyRing, _ current: DatabaseFacts?
  ) throws {
    guard let check = backup.masterKeyCheck,
      keys.select(checkValue: check, former: backup.formerMasterKeys)
    else {
      throw CommandFailure(
        "the backup is encrypted under the master key with the id "
          + "\(MasterKeyName.of(backup.masterKeyID)), and the given key has the id "
          + "\(keys.current.name). Give the key of the backup. Nothing was replaced")
    }
    if let current, current.mode != backup.mode {
      throw CommandFailure(
        "the backup is of a \(Self.name(backup.mode)) database, and this folder has a "
          + "\(Self.name(current.mode)) database. Name another folder with --data. Nothing was "
          + "replaced")
    }
  }

  private static func name(_ mode: [UInt8]?) -> String {
    String(decoding: mode ?? [], as: UTF8.self)
  }
}
