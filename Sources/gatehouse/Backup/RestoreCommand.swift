import ArgumentParser
import Foundation
import GatehouseAccounts
import GatehouseOperation
import GatehouseSQLite

struct RestoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Put a backup in the database's place.",
    discussion: """
      The backup is read through first, and has to fit the master key. No server may run. The \
      database that was there is kept beside it. What happened after the backup is undone: \
      accounts deleted since and sessions revoked since are there again.
      """)

  @Argument(help: "The backup.")
  var file: String

  @OptionGroup var data: DataOptions

  func run() async throws {
    let (folder, source) = try data.place()
    let isNew = !OpenDatabase.exists(in: folder)
    let running = ServingMark.running(in: folder)
    if let server = running.first {
      throw CommandFailure(
        "a server runs on \(folder) (process \(server.process)): stop it, and restore then. Nothing "
          + "was replaced")
    }
    let keys = try source.load(dataFolder: folder, mayMake: false)
    if isNew { try OpenDatabase.makeFolder(folder) }
    let place = URL(fileURLWithPath: folder, isDirectory: true)
    let restore = try DatabaseRestore.stage(file, in: place)
    let old: String?
    do {
      try check(restore.facts, keys, isNew ? nil : try? DatabaseFile(in: place).facts())
      old = try restore.replace(suffix: ".before-" + BackupNames.stamp(Date()))
    } catch {
      restore.discard()
      throw error
    }
    Terminal.say(
      "Restored: \(restore.facts.projects) projects, \(restore.facts.accounts) accounts.")
    if let old { Terminal.say("What was there is \(old): remove it when all is well.") }
  }

  private func check(
    _ backup: DatabaseFile.Facts, _ keys: MasterKeyRing, _ current: DatabaseFile.Facts?
  ) throws {
    guard let check = backup.masterKeyCheck, keys.select(checkValue: check) else {
      throw CommandFailure(
        "the backup is under the master key with the id \(MasterKeyName.of(backup.masterKeyID)), "
          + "and the one given is \(keys.current.name). Give the key that the backup was made with. "
          + "Nothing was replaced")
    }
    if let current, current.mode != backup.mode {
      throw CommandFailure(
        "the backup is of a \(Self.name(backup.mode)) database and \(data.folder) of a "
          + "\(Self.name(current.mode)) one. Name another folder with --data. Nothing was replaced")
    }
  }

  private static func name(_ mode: [UInt8]?) -> String {
    String(decoding: mode ?? [], as: UTF8.self)
  }
}
