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
    if let file {
      try say(try verify(file: file).json)
    } else {
      try await log.withLog { client, path in try say(try await verify(path, of: client)) }
    }
  }

  private func say(_ report: JSONObject) throws {
    let faults = report.strings("faults")
    if log.project.administration.remote.json {
      Terminal.say(String(decoding: report.serialized(), as: UTF8.self))
    } else if faults.isEmpty {
      Self.describe(report)
    } else {
      for fault in faults { Terminal.say("FAULT: \(fault)") }
    }
    guard faults.isEmpty else { throw CommandFailure("the event log was changed") }
  }

  private static func describe(_ report: JSONObject) {
    guard let first = report["first"]?.int64, let last = report["last"]?.int64 else {
      return Terminal.say("The log has no events.")
    }
    Terminal.say("\(report["verified"]?.int64 ?? 0) events verified, number \(first) to \(last).")
    if let start = report["start"]?.object {
      Terminal.say(
        "Events up to number \(start["number"]?.int64 ?? 0) were removed after "
          + "events.retentionDays; their last checkpoint was signed at \(start.shown("time")).")
    }
    if let checkpoint = report["lastCheckpoint"]?.object,
      let number = checkpoint["number"]?.int64
    {
      if number < last {
        Terminal.say("The \(last - number) events after the last checkpoint are not signed yet.")
      }
      Terminal.say("The last checkpoint is at number \(number):")
      Terminal.say(checkpoint.shown("token"))
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

  /// Verifies part after part, and returns one report.
  private func verify(
    _ path: [String], of client: AdministrationClient
  ) async throws -> JSONObject {
    var progress = Progress()
    defer { progress.clear() }
    var report = JSONObject()
    var faults: [JSONValue] = []
    var verified: Int64 = 0
    var token: String?
    repeat {
      var body: JSONObject = ["checkpoints": .array(checkpoint.map { .string($0) })]
      body["pageToken"] = token.map { .string($0) }
      let part = try await client.send(.post, path, verb: "verify", body)
      faults += part["faults"]?.array ?? []
      verified += part["verified"]?.int64 ?? 0
      for name in ["first", "start"] { report[name] = report[name] ?? part[name] }
      for name in ["last", "lastCheckpoint"] { report[name] = part[name] ?? report[name] }
      token = part["nextPageToken"]?.string
      progress.show(Int(verified)) { "Verified \(verified) events, \($0)/s" }
    } while token != nil && faults.count < Self.maximumFaults
    report["faults"] = .array(faults)
    report["verified"] = .number(JSONNumber(verified))
    return report
  }

  /// Who sees where the change begins doesn't need each event after it.
  private static let maximumFaults = 20
}
