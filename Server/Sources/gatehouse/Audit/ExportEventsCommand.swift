import ArgumentParser
import Foundation
import GatehouseServer
import GatehouseProtocol

struct ExportEventsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write a log to a file, with a checkpoint for its end.",
    discussion: """
      One JSON object on each line. `gatehouse audit verify --file FILE` verifies it on any machine. \
      A file that exists is replaced when the new one is complete.
      """)

  @Argument(help: "The file to write.")
  var file: String

  @OptionGroup var log: EventLogOptions

  func run() async throws {
    try await log.withLog { database, project in
      let now = Date()
      let ring = try await SigningKeys.open(
        .eventLog, store: database.store, forms: KeyForms(), now: now)
      let checkpoints = EventCheckpoints(store: database.store, keys: ring)
      guard let draft = PrivateFile.Draft(file) else {
        throw CommandFailure("\(file) can't be written")
      }
      let count: Int
      do {
        count = try await write(project, checkpoints, ring, to: draft.file, in: database, now: now)
        try draft.finish()
      } catch {
        draft.discard()
        throw error
      }
      Terminal.say("Wrote \(count) events to \(file).")
    }
  }

  /// - Returns: How many events were written.
  private func write(
    _ project: ProjectID?, _ checkpoints: EventCheckpoints, _ ring: SigningKeys,
    to output: FileHandle, in database: OpenDatabase, now: Date
  ) async throws -> Int {
    func put(_ line: String) throws {
      try output.write(contentsOf: Data((line + "\n").utf8))
    }
    // The checkpoint is signed first: events that are linked during the export come after it.
    let end = try await checkpoints.current(of: project, now: now)
    let stored = try await database.store.read { try $0.eventCheckpoints(of: project) }
    try put(try EventLogFile.keys(ring.document))
    var count = 0
    try await EventLog(store: database.store).forEach(of: project) { link in
      guard link.number <= end.end.number else { return }
      try put(try EventLogFile.event(link))
      count += 1
    }
    for checkpoint in stored where checkpoint.end.number < end.end.number {
      try put(try EventLogFile.checkpoint(checkpoint))
    }
    if end.end.number > 0 { try put(try EventLogFile.checkpoint(end)) }
    return count
  }
}
