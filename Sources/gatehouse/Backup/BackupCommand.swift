import ArgumentParser
import Foundation
import GatehouseAccounts
import GatehouseOperation
import GatehouseSQLite

struct BackupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Copy the database. A server may be running.",
    discussion: """
      The backup contains every write that was acknowledged before it began. It doesn't contain \
      the master key, and it cannot be restored without that key: keep both, in different places.
      """)

  @Argument(help: "The file to write, or a folder, in which the file is named after the time.")
  var target: String

  @Option(help: "In a folder: how many backups to keep. Older backups are removed.")
  var keep: Int?

  @Flag(help: "Replace the file if it exists.")
  var force = false

  @Option(help: Settings.data.help)
  var data: String?

  @Option(help: Settings.database.help)
  var database: String?

  func validate() throws {
    if let keep, keep < 1 { throw ValidationError("--keep \(keep): at least 1") }
  }

  func run() async throws {
    var reader = SettingReader(
      flags: [Settings.data.key: data, Settings.database.key: database])
    let place = reader.dataPlace()
    guard reader.faults.isEmpty else { throw ConfigurationFaults(faults: reader.faults) }
    let folder = try place.engine.backupFolder()
    guard try place.engine.exists() else {
      throw CommandFailure("there is no database in \(folder); name its folder with --data")
    }
    let names = BackupNames(folder: target)
    let isFolder = names.isFolder
    guard keep == nil || isFolder else {
      throw CommandFailure("--keep works only with a folder, and \(target) is not a folder")
    }
    let path = isFolder ? names.path(at: Date()) : target
    if !force && FileManager.default.fileExists(atPath: path) {
      throw CommandFailure("\(path) exists: replace it with --force, or name another file")
    }
    let facts = try DatabaseBackup.make(
      of: URL(fileURLWithPath: folder, isDirectory: true), at: path)
    Terminal.say("\(path): \(facts.projects) projects, \(facts.accounts) accounts.")
    Terminal.say(
      "The backup doesn't contain the master key. To restore it, you need the key with the id "
        + "\(MasterKeyName.of(facts.masterKeyID)): keep that key apart from the backup.")
    for old in try keep.map({ try names.remove(beyond: $0, keeping: path) }) ?? [] {
      Terminal.say("Removed \(old).")
    }
  }
}
