import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A program that runs beside the tests, with its output in files.
///
/// Started with `posix_spawn` rather than Foundation's `Process`, whose `run()` reads past a buffer
/// on Linux and now and then crashes the caller (swift-corelibs-foundation, pull request 5472).
final class ChildProcess: Sendable {
  private let id: pid_t
  /// As `waitpid` told it; nil while the program runs.
  private let waitStatus = Mutex<Int32?>(nil)
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
    let variables = environment.merging(
      ["PATH", "HOME", "LANG", "LD_LIBRARY_PATH"].compactMap { name in
        inherited[name].map { (name, $0) }
      }, uniquingKeysWith: { given, _ in given })
    id = try Spawn(
      executable: executable, arguments: arguments,
      environment: variables.map { "\($0)=\($1)" }, folder: folder.path, input: inputFile,
      output: outputFile, errors: errorFile
    ).start()
  }

  var isRunning: Bool { status == nil }

  /// The exit status, or a signal's number negated; nil while the program runs.
  private var status: Int32? {
    waitStatus.withLock { known in
      var told: Int32 = 0
      if known == nil, waitpid(id, &told, WNOHANG) == id { known = told }
      return known.map { $0 & 0x7F == 0 ? $0 >> 8 & 0xFF : -($0 & 0x7F) }
    }
  }

  /// What it has written to standard output so far.
  var output: String { (try? String(contentsOfFile: outputFile, encoding: .utf8)) ?? "" }
  var errors: String { (try? String(contentsOfFile: errorFile, encoding: .utf8)) ?? "" }

  /// Asks it to end (SIGTERM).
  func terminate() { signal(SIGTERM) }

  /// Ends it at once (SIGKILL).
  func kill() { signal(SIGKILL) }

  /// What a terminal sends when it is closed, and an administrator when files changed (SIGHUP).
  func hangUp() { signal(SIGHUP) }

  /// Lets its files grow again, from outside.
  func liftFileSizeLimit(_ folder: TemporaryFolder) async throws {
    let tool = try ChildProcess(
      "/usr/bin/env", ["prlimit", "--pid", String(id), "--fsize=unlimited"], folder: folder)
    guard try await tool.end() == 0 else {
      throw MissingTool("prlimit (util-linux) did nothing: \(tool.errors)")
    }
  }

  private func signal(_ number: Int32) {
    if isRunning { _ = Foundation.kill(id, number) }
  }

  /// Waits for the end. A program that doesn't end is killed.
  ///
  /// - Returns: The exit status; negative if a signal ended it.
  @discardableResult
  func end(within seconds: Double = 60) async throws -> Int32 {
    _ = try await Deadline.wait(seconds: seconds) { !isRunning }
    guard let status else {
      kill()
      throw Timeout("The program didn't end within \(seconds) s.\n\(output)\n\(errors)")
    }
    return status
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
