import ArgumentParser
import Foundation
import GatehouseServer

struct BackupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Copy the database. A server may be running.",
    discussion: """
      The backup contains every write that was acknowledged before it began. It doesn't contain \
      the master key, and it cannot be restored without that key: keep both, in different places. The \
      command has no --server: run it on the server's machine.
      """)

  @Argument(help: "The file to write, or a folder, in which the file is named after the time.")
  var target: String

  @Option(
    help:
      "In a folder: how many backups to keep, at least 1. Older ones are removed. Default: all stay."
  )
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
    try RemoteVariables.refuseServer()
    let place = reader.dataPlace()
    guard reader.faults.isEmpty else { throw ConfigurationFaults(faults: reader.faults) }
    let folder = try place.engine.backupFolder()
    let names = BackupNames(folder: target)
    guard keep == nil || names.isFolder else {
      throw CommandFailure("--keep works only with a folder, and \(target) is not a folder")
    }
    try await place.explainingFaults(
      ". To read a database, SQLite must write beside it: if it can't, copy the database file, and the "
        + "one with -wal in its name, to another folder, and name that folder with --data"
    ) {
      // The backup of an empty database would replace those that have accounts.
      try place.engine.refuseUnlessComplete()
      if names.isFolder {
        try make(of: folder, in: names)
      } else {
        _ = try make(of: folder, at: target)
      }
    }
  }

  private func make(of folder: String, in names: BackupNames) throws {
    let hasRun: Void? = try names.alone { removed in
      for part in removed { Terminal.say("Removed \(part), which a killed backup left.") }
      let path = names.path(at: Date())
      let facts = try make(of: folder, at: path)
      guard let keep else { return }
      let rotation = try names.remove(beyond: keep, keeping: path) { other in
        facts.accounts > 0 || (try? DatabaseFile(other).facts().accounts) == 0
      }
      for old in rotation.removed { Terminal.say("Removed \(old).") }
      guard !rotation.kept.isEmpty else { return }
      Terminal.note(
        "The database has no accounts. So backups that have some were kept beyond --keep \(keep): "
          + "\(rotation.kept.joined(separator: ", ")). If nothing is wrong, remove them yourself")
    }
    guard hasRun != nil else {
      throw CommandFailure(
        "another backup in \(target) is being made: wait until it has ended. Nothing was written")
    }
  }

  private func make(of folder: String, at path: String) throws -> DatabaseFacts {
    if !force && FileManager.default.fileExists(atPath: path) {
      throw CommandFailure("\(path) exists: replace it with --force, or name another file")
    }
    let facts = try DatabaseBackup.make(
      of: URL(fileURLWithPath: folder, isDirectory: true), at: path)
    Terminal.say("\(path): \(facts.projects) projects, \(facts.accounts) accounts.")
    Terminal.say(
      "The backup doesn't contain the master key. To restore it, you need the key with the id "
        + "\(MasterKeyName.of(facts.masterKeyID)): keep that key apart from the backup.")
    return facts
  }
}
