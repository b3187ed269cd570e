import Foundation
import GatehouseServer
import Logging

/// The file in the data folder where a server with PostgreSQL remembers the timeline that it has used.
struct TimelineFile: PostgresTimelineMemory {
  let folder: String
  /// A command refuses what the server on its machine refuses, but remembers nothing.
  var isReadOnly = false

  private static let logger = Logger(label: "gatehouse")

  private var path: String { folder + "/postgres-timeline.json" }

  init(folder: String) { self.folder = folder }

  func timeline() throws -> PostgresTimeline? {
    guard let data = FileManager.default.contents(atPath: path) else {
      guard FileManager.default.fileExists(atPath: path) else { return nil }
      throw StoreError.unavailable("the file \(path) can't be read: its owner must be this user")
    }
    do {
      return try JSONDecoder().decode(PostgresTimeline.self, from: data)
    } catch {
      throw StoreError.unavailable(
        "the file \(path) is damaged. If the primary of PostgreSQL is the right one, remove the file"
      )
    }
  }

  func remember(_ timeline: PostgresTimeline) {
    guard !isReadOnly else { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    // Several servers may share the folder.
    let draft = path + ".\(UInt32.random(in: .min ... .max)).part"
    do {
      try DataPlace.makeFolder(folder)
      try PrivateFile.replace(path, with: encoder.encode(timeline), draft: draft)
      try PrivateFile.syncFolder(of: path)
      Self.logger.notice("PostgreSQL's timeline", metadata: ["number": "\(timeline.number)"])
    } catch {
      Self.logger.warning(
        "PostgreSQL's timeline can't be remembered: after a restart, this server would accept an older primary",
        metadata: [
          "number": "\(timeline.number)", "file": "\(path)",
          "error": "\(FolderTrial.fault(in: folder) ?? "\(error)")",
        ])
    }
  }
}
