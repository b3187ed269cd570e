import Foundation
import Testing

/// Clients from other developers: Python programs beside this test target, in an environment with
/// the libraries that they need.
enum Python {
  /// `GATEHOUSE_PYTHON`, or the environment that `scripts/python-environment` creates.
  ///
  /// - Throws: ``MissingTool`` with the command to run.
  static func path() throws -> String {
    let path =
      ProcessInfo.processInfo.environment["GATEHOUSE_PYTHON"]
      ?? repository + "/.build/python/bin/python"
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw MissingTool("There is no Python at \(path). Run: scripts/python-environment")
    }
    return path
  }

  /// A program of the environment, such as `nanoidp`.
  static func tool(_ name: String) throws -> String {
    let path = URL(fileURLWithPath: try path()).deletingLastPathComponent().path + "/" + name
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw MissingTool("There is no \(path). Run: scripts/python-environment")
    }
    return path
  }

  /// Runs a program in `Clients` and returns its output.
  ///
  /// - Throws: ``ClientFailure`` with the output if the exit status isn't 0.
  @discardableResult
  static func run(
    _ client: String, _ arguments: [String] = [], environment: [String: String] = [:]
  ) async throws -> String {
    try await TemporaryFolder.with { folder in
      let process = try start(client, arguments, environment, folder)
      let status = try await process.end(within: 600)
      guard status == 0 else {
        throw ClientFailure("\(client) failed (\(status)):\n\(process.errors)\n\(process.output)")
      }
      return process.output
    }
  }

  /// Runs `body` beside a program in `Clients` that serves until it is stopped.
  ///
  /// - Parameter body: Gets the first line that the program prints: JSON with its address.
  static func serve<Result: Sendable>(
    _ client: String, _ arguments: [String] = [], environment: [String: String] = [:],
    _ body: (JSON) async throws -> Result
  ) async throws -> Result {
    try await TemporaryFolder.with { folder in
      let process = try start(client, arguments, environment, folder)
      defer { process.kill() }
      let isReady = try await Deadline.wait {
        process.output.contains("\n") || !process.isRunning
      }
      guard isReady, process.isRunning, let line = process.output.split(separator: "\n").first
      else { throw ClientFailure("\(client) didn't start:\n\(process.errors)") }
      return try await body(JSON(reading: Data(line.utf8)))
    }
  }

  static func start(
    _ client: String, _ arguments: [String], _ environment: [String: String],
    _ folder: TemporaryFolder
  ) throws -> ChildProcess {
    var environment = environment
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    environment["PYTHONPATH"] = clients
    return try ChildProcess(
      try path(), ["\(clients)/\(client)"] + arguments, environment: environment, folder: folder)
  }

  private static let clients = repository + "/Server/Tests/EndToEndTests/Clients"

  /// Derived from this file's path: `<repository>/Server/Tests/EndToEndTests/Harness/Python.swift`.
  static let repository = (0..<5).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
    url.deletingLastPathComponent()
  }.path
}

/// A client's own tests failed.
struct ClientFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
