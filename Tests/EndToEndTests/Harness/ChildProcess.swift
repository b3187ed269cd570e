import Foundation

/// A program that runs beside the tests, with its output in files.
final class ChildProcess: Sendable {
  private let process: Process
  /// Standard output and standard error.
  let outputFile: String
  let errorFile: String

  /// Starts `executable`. The environment is the given one with `PATH` and `HOME`, and nothing else
  /// of the tests' own: a developer's settings change no result.
  init(
    _ executable: String, _ arguments: [String], environment: [String: String] = [:],
    folder: TemporaryFolder, input: String = ""
  ) throws {
    let name = UUID().uuidString
    outputFile = try folder.write("\(name).out", "")
    errorFile = try folder.write("\(name).err", "")
    let inputFile = try folder.write("\(name).in", input)
    let inherited = ProcessInfo.processInfo.environment
    process = Process()
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = arguments
    process.environment = environment.merging(
      ["PATH", "HOME", "LANG", "LD_LIBRARY_PATH"].compactMap { name in
        inherited[name].map { (name, $0) }
      }, uniquingKeysWith: { given, _ in given })
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    process.standardInput = FileHandle(forReadingAtPath: inputFile)
    process.standardOutput = FileHandle(forWritingAtPath: outputFile)
    process.standardError = FileHandle(forWritingAtPath: errorFile)
    try process.run()
  }

  var isRunning: Bool { process.isRunning }

  /// What it has written to standard output so far.
  var output: String { (try? String(contentsOfFile: outputFile, encoding: .utf8)) ?? "" }
  var errors: String { (try? String(contentsOfFile: errorFile, encoding: .utf8)) ?? "" }

  /// Asks it to end (SIGTERM).
  func terminate() { signal(SIGTERM) }

  /// Ends it at once (SIGKILL).
  func kill() { signal(SIGKILL) }

  private func signal(_ number: Int32) {
    if process.isRunning { _ = Foundation.kill(process.processIdentifier, number) }
  }

  /// Waits for the end. A program that doesn't end is killed.
  ///
  /// - Returns: The exit status; negative if a signal ended it.
  @discardableResult
  func end(within seconds: Double = 60) async throws -> Int32 {
    let ended = try await Deadline.wait(seconds: seconds) { !process.isRunning }
    guard ended else {
      kill()
      throw Timeout("The program didn't end within \(seconds) s.\n\(output)\n\(errors)")
    }
    return process.terminationReason == .uncaughtSignal
      ? -process.terminationStatus : process.terminationStatus
  }
}

/// Looks again and again, often, until something holds or the time is over.
enum Deadline {
  /// - Returns: Whether it came to hold.
  static func wait(seconds: Double, until holds: () async throws -> Bool) async throws -> Bool {
    let end = ContinuousClock.now + .seconds(seconds)
    while try await !holds() {
      guard ContinuousClock.now < end else { return false }
      try await Task.sleep(for: .milliseconds(10))
    }
    return true
  }
}

struct Timeout: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
