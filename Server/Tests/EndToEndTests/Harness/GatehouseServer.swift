import Foundation

/// A running `gatehouse serve`.
struct GatehouseServer: Sendable {
  /// `http://127.0.0.1:<port>`
  let baseURL: String
  /// The simulator's address, in `--dev`.
  let simulatorURL: String
  /// The address of the metrics, if they were requested.
  let metricsURL: String?
  let process: ChildProcess

  /// The server of the suite: see ``ServerTrait``.
  @TaskLocal static var current: GatehouseServer?

  /// The options of a server's start.
  struct Options: Sendable {
    var isDevelopment = true
    var arguments: [String] = []
    var environment: [String: String] = [:]
    /// The maximum size of each of the server's files, until
    /// ``ChildProcess/liftFileSizeLimit(_:)``.
    var fileSizeLimitKibibytes: Int?
  }

  private static let secondsToStart = 180.0
  /// The time limit of the server's calls to providers is long, because its simulator shares a busy
  /// machine. A test of the limit sets another one with `--set`.
  /// Passwords are cheap to hash: a debug build takes seconds for what costs a release build a tenth.
  private static let patience = [
    "GATEHOUSE_OUTBOUND_SECONDS": "60", "GATEHOUSE_PASSWORDS_LOG_COST": "10",
  ]
  /// The beginning of the log line that contains the address.
  private static let apiLine = "Gatehouse listens on "
  private static let simulatorLine = "Simulator listens on "
  private static let metricsLine = "Metrics on "

  /// Starts a server on free ports, with its data in `folder`, and waits until it is ready.
  static func start(_ options: Options, in folder: TemporaryFolder) async throws -> Self {
    // The simulator's port is chosen before the server binds it. Another test may bind it in
    // between.
    for _ in 0..<4 {
      do {
        return try await startOnce(options, in: folder)
      } catch let error as DidNotStart where error.errors.contains("listens there already") {
        continue
      }
    }
    return try await startOnce(options, in: folder)
  }

  private static func startOnce(
    _ options: Options, in folder: TemporaryFolder
  ) async throws -> Self {
    var arguments = ["serve", "--port", "0", "--data", folder.path + "/data"]
    if options.isDevelopment {
      arguments += ["--dev", "--simulator-port", String(try await FreePort.next())]
    }
    var command = [try Binary.path()] + arguments + options.arguments
    if let limit = options.fileSizeLimitKibibytes {
      command = ["/bin/bash", "-c", "ulimit -S -f \(limit); exec \"$@\"", "bash"] + command
    }
    let process = try ChildProcess(
      command[0], Array(command.dropFirst()),
      environment: options.environment.merging(patience) { given, _ in given }, folder: folder)
    let awaited =
      [apiLine] + (options.isDevelopment ? [simulatorLine] : [])
      + (options.arguments.contains("--metrics-port") ? [metricsLine] : [])
    let isListening = try await Deadline.wait(seconds: secondsToStart) {
      let output = process.output
      return awaited.allSatisfy { url(after: $0, in: output) != nil } || !process.isRunning
    }
    guard isListening, process.isRunning,
      let baseURL = url(after: apiLine, in: process.output)
    else {
      process.kill()
      throw DidNotStart(output: process.output, errors: process.errors)
    }
    let server = GatehouseServer(
      baseURL: baseURL,
      simulatorURL: url(after: simulatorLine, in: process.output) ?? "",
      metricsURL: url(after: metricsLine, in: process.output), process: process)
    do {
      let isReady = try await Deadline.wait(seconds: secondsToStart) {
        // The harness doesn't trust a test's own certificate, so it can't check readiness.
        if baseURL.hasPrefix("https:") { return true }
        return try await HTTP.get(baseURL + "/readyz").status == 200
      }
      guard isReady else { throw DidNotStart(output: process.output, errors: process.errors) }
    } catch {
      process.kill()
      throw error
    }
    return server
  }

  /// Runs `body` with a new server, and always stops the server afterwards.
  static func with<Result: Sendable>(
    _ options: Options = Options(),
    _ body: (GatehouseServer) async throws -> Result
  ) async throws -> Result {
    try await TemporaryFolder.with { folder in
      let server = try await start(options, in: folder)
      do {
        let result = try await body(server)
        try await server.stop()
        return result
      } catch {
        server.process.kill()
        try await server.process.end()
        throw error
      }
    }
  }

  /// Stops the server, as a supervisor does.
  @discardableResult
  func stop() async throws -> Int32 {
    process.terminate()
    return try await process.end()
  }

  /// Kills the server, like a loss of power.
  func killHard() async throws {
    process.kill()
    try await process.end()
  }

  private static func url(after prefix: String, in output: String) -> String? {
    // Only complete lines are read.
    for line in output.split(separator: "\n").prefix(output.filter { $0 == "\n" }.count)
    where line.hasPrefix(prefix) {
      return String(line.dropFirst(prefix.count))
    }
    return nil
  }
}

/// The server ended, or wasn't ready in time.
struct DidNotStart: Error, CustomStringConvertible {
  let output: String
  let errors: String

  var description: String { "The server didn't start.\n\(output)\n\(errors)" }
}

/// Runs `body` with a development server of its own.
func withServer(
  _ body: (GatehouseServer, TemporaryFolder) async throws -> Void
) async throws {
  try await TemporaryFolder.with { folder in
    let server = try await GatehouseServer.start(.init(), in: folder)
    defer { server.process.kill() }
    try await body(server, folder)
  }
}
