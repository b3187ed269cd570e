import ArgumentParser
import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens

struct VerifyEventsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Check that no event was changed, removed or inserted.",
    discussion: """
      An attacker who can write to the database can also cut off the end of a log together with \
      its checkpoints. To detect this, export the log regularly to another place, and pass the \
      checkpoints of earlier exports with --checkpoint: the log must contain their events.
      """)

  @Option(help: "A file with an exported log, to verify instead of the database.")
  var file: String?

  @Option(help: "A file with the key set that must have signed the exported checkpoints.")
  var keys: String?

  @Option(
    help: "A checkpoint that `audit verify` printed, or from an exported file. May be repeated.")
  var checkpoint: [String] = []

  @OptionGroup var log: EventLogOptions

  func validate() throws {
    if keys != nil && file == nil { throw ValidationError("--keys can only be used with --file") }
    if !checkpoint.isEmpty && file != nil {
      throw ValidationError("--checkpoint can't be used with --file")
    }
  }

  func run() async throws {
    let report =
      if let file { try verify(file: file) } else { try await verifyDatabase() }
    for fault in report.faults { Terminal.say("FAULT: \(fault)") }
    guard report.faults.isEmpty else {
      throw CommandFailure("the event log was changed")
    }
    guard let range = report.range else { return Terminal.say("The log has no events.") }
    Terminal.say(
      "\(report.count) events verified, number \(range.lowerBound) to \(range.upperBound).")
    if let start = report.start {
      Terminal.say(
        "Events up to number \(start.end.number) were removed after events.retentionDays; their "
          + "last checkpoint was signed at \(start.at.formatted(.iso8601)).")
    }
    if let last = report.lastCheckpoint {
      if last.end.number < range.upperBound {
        Terminal.say(
          "The \(range.upperBound - last.end.number) events after the last checkpoint are not "
            + "signed yet.")
      }
      Terminal.say("The last checkpoint is at number \(last.end.number):")
      Terminal.say(last.token)
    }
  }

  private func verify(file: String) throws -> EventChainReport {
    let trusted = try keys.map { try KeySet(jwks: try Self.read($0)) }
    let text = String(decoding: try Self.read(file), as: UTF8.self)
    do {
      return try EventLogFile.verify(
        // Also at `\r\n`, which is one character: a mail program may have changed the line breaks.
        text.split { $0 == "\n" || $0 == "\r\n" }.map(String.init), trusting: trusted)
    } catch let fault as EventLogFile.Fault {
      throw CommandFailure("\(file): \(fault)")
    }
  }

  private static func read(_ path: String) throws -> [UInt8] {
    do {
      return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    } catch {
      throw CommandFailure("\(path) can't be read: \(error.localizedDescription)")
    }
  }

  private func verifyDatabase() async throws -> EventChainReport {
    try await log.withLog { database, project in
      let now = Date()
      let ring = try await SigningKeys.open(
        .eventLog, store: database.store, forms: KeyForms(), now: now)
      let known = try checkpoint.map { token in
        guard let known = try? EventCheckpoint(verifying: token, keys: ring.keySet),
          known.project == project
        else { throw CommandFailure("--checkpoint: this server didn't sign it for this log") }
        return known
      }
      let report = try await EventLog(store: database.store).verify(
        project, keys: ring.keySet, known: known)
      return report
    }
  }
}
