import ArgumentParser
import Foundation
import GatehouseAccounts
import GatehouseOperation
import GatehouseSQLite

struct BackupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Copy the database, also while a server runs.",
    discussion: """
      The copy holds everything that was acknowledged before it began. The master key is not in \
      it, and without that key it is worth little: keep both, and keep them apart.
      """)

  @Argument(help: "The file to write, or a folder: the file is named by the time then.")
  var target: String

  @Option(help: "In a folder: keep so many backups, and remove the oldest beyond.")
  var keep: Int?

  @Flag(help: "Replace the file.")
  var force = false

  @Option(help: Settings.data.help)
  var data: String?

  func validate() throws {
    if let keep, keep < 1 { throw ValidationError("--keep \(keep): at least 1") }
  }

  func run() async throws {
    var reader = SettingReader(flags: [Settings.data.key: data])
    let folder = reader.read(Settings.data)
    guard reader.faults.isEmpty else { throw ConfigurationFaults(faults: reader.faults) }
    guard OpenDatabase.exists(in: folder) else {
      throw CommandFailure("there is no database in \(folder); name its folder with --data")
    }
    let names = BackupNames(folder: target)
    let isFolder = names.isFolder
    guard keep == nil || isFolder else {
      throw CommandFailure("--keep is for a folder, and \(target) is none")
    }
    let path = isFolder ? names.path(at: Date()) : target
    if !force && FileManager.default.fileExists(atPath: path) {
      throw CommandFailure("\(path) exists: replace it with --force, or name another file")
    }
    let facts = try DatabaseBackup.make(
      of: URL(fileURLWithPath: folder, isDirectory: true), at: path)
    Terminal.say("\(path): \(facts.projects) projects, \(facts.accounts) accounts.")
    Terminal.say(
      "The master key is not in it. It opens with the one whose id is "
        + "\(MasterKeyName.of(facts.masterKeyID)): keep that key apart from the backup.")
    for old in try keep.map({ try names.remove(beyond: $0) }) ?? [] {
      Terminal.say("Removed \(old).")
    }
  }
}
