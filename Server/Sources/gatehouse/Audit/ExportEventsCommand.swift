import ArgumentParser
import Foundation
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
    try await log.withLog { client, path in
      guard let draft = PrivateFile.Draft(file) else {
        throw CommandFailure("\(file) can't be written")
      }
      let count: Int
      do {
        count = try await write(path, of: client, to: draft.file)
        try draft.finish()
      } catch {
        draft.discard()
        throw error
      }
      client.say(["file": .string(file), "events": .number(JSONNumber(Int64(count)))]) {
        Terminal.say("Wrote \(count) events to \(file).")
      }
    }
  }

  /// - Returns: How many events were written.
  private func write(
    _ path: [String], of client: AdministrationClient, to output: FileHandle
  ) async throws -> Int {
    var progress = Progress()
    defer { progress.clear() }
    var count = 0
    var token: String?
    repeat {
      let part = try await client.send(.get, path, verb: "export", query: ["pageToken": token])
      let lines = part.objects("lines")
      try output.write(
        contentsOf: Data(lines.flatMap { $0.serialized(sortedKeys: true) + [UInt8(ascii: "\n")] }))
      count += lines.count { $0["event"] != nil }
      token = part["nextPageToken"]?.string
      progress.show(count) { "Wrote \(count) events, \($0)/s" }
      if let fault = part["fault"]?.string {
        Terminal.note(
          "The end of the log gets no checkpoint, because the log was changed: \(fault)")
      }
    } while token != nil
    return count
  }
}
