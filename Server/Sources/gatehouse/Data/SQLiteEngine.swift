import Foundation
import GatehouseServer

/// A file in a folder of this machine.
struct SQLiteEngine: DatabaseEngine, DatabaseMaintenance {
  let folder: String

  private var url: URL { URL(fileURLWithPath: folder, isDirectory: true) }
  var path: String { folder + "/" + SQLiteStore.fileName }

  var name: String { "in \(folder)" }
  var flag: String { "\(Settings.data.flag) \(folder)" }
  var isShared: Bool { false }

  var file: String {
    " (\(path): \(exists ? "\(Files.size(of: path)) bytes" : "no such file"))"
  }

  /// Also true for an empty file.
  var exists: Bool { FileManager.default.fileExists(atPath: path) }

  func state() throws -> DatabaseState {
    try Permission.check(path)
    guard exists else { return .missing }
    guard Files.hasHeader(path) else { return .emptied }
    return try serverValues().map(DatabaseState.init(of:)) ?? .begun
  }

  func prepare() throws {
    if exists, !Files.hasHeader(path), let fault = fault(of: .emptied) { throw fault }
    try DataPlace.makeFolder(folder)
  }

  func serverValues() throws -> [String: [UInt8]]? { try SQLiteStore.serverValues(at: url) }

  func open(sealing: any SecretSealing) throws -> any Store {
    try SQLiteStore.open(at: url, sealing: sealing)
  }

  func read<Result>(
    sealing: any SecretSealing, _ body: (Transaction) throws -> Result
  ) throws -> Result? {
    try DatabaseFile(in: url).records(sealing: sealing, body)
  }

  func localServers() -> [ServingServer] {
    ServingMark.running(in: folder).map {
      ServingServer(name: "process \($0.process)", masterKeys: $0.masterKeys)
    }
  }

  func openingFault() -> String? { FolderTrial.fault(in: folder) }

  // MARK: Maintenance

  func withCopyEnd<Result>(_ body: (any SQLCopyEnd) throws -> Result) throws -> Result {
    try SQLiteStore.withCopyEnd(at: url, body)
  }

  func missingSteps() throws -> Int? {
    Files.hasHeader(path) ? try DatabaseFile(in: url).missingSteps() : nil
  }

  func migrate() throws -> [String] {
    let state = try state()
    if [.missing, .emptied].contains(state), let fault = fault(of: state) { throw fault }
    return try SQLiteStore.migrate(at: url)
  }

  func backupFolder() -> String { folder }
}
