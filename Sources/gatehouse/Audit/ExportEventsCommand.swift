import ArgumentParser
import Foundation
import GatehouseAccounts
import GatehouseModel

struct ExportEventsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write a log to a file, with a checkpoint for its end.",
    discussion: """
      One JSON object on each line. `gatehouse audit verify --file FILE` verifies it on any machine. \
      A file that exists is replaced.
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
      guard let output = PrivateFile.begin(file) else {
        throw CommandFailure("\(file) can't be written")
      }
      defer { try? output.close() }
      func write(_ line: String) throws {
        try output.write(contentsOf: Data((line + "\n").utf8))
      }
      // The checkpoint is signed first: events that are linked during the export come after it.
      let end = try await checkpoints.current(of: project, now: now)
      let stored = try await database.store.read { try $0.eventCheckpoints(of: project) }
      try write(try EventLogFile.keys(ring.document))
      var count = 0
      try await EventLog(store: database.store).forEach(of: project) { link in
        guard link.number <= end.end.number else { return }
        try write(try EventLogFile.event(link))
        count += 1
      }
      for checkpoint in stored where checkpoint.end.number < end.end.number {
        try write(try EventLogFile.checkpoint(checkpoint))
      }
      if end.end.number > 0 { try write(try EventLogFile.checkpoint(end)) }
      Terminal.say("Wrote \(count) events to \(file).")
    }
  }
}
