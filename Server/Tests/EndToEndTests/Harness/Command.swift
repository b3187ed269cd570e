import Foundation

/// A `gatehouse` subcommand that has ended.
struct Command: Sendable {
  let status: Int32
  let output: String
  let errors: String

  static func run(
    _ arguments: [String], environment: [String: String] = [:], input: String = "",
    in folder: TemporaryFolder
  ) async throws -> Command {
    let process = try ChildProcess(
      try Binary.path(), arguments, environment: environment, folder: folder, input: input)
    let status = try await process.end()
    return Command(status: status, output: process.output, errors: process.errors)
  }

  /// The lines of standard output.
  var lines: [String] { output.split(separator: "\n").map(String.init) }
}
