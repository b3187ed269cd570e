import Foundation
import Synchronization

// The stand-ins' package has this file and `Spawn` in one target.
#if canImport(TestPrograms)
  import TestPrograms
#endif

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A program that runs beside the tests and writes its output to files.
///
/// Started with `posix_spawn` and not with Foundation's `Process`, whose `run()` reads past a
/// buffer on Linux and sometimes crashes the caller (swift-corelibs-foundation, pull request 5472).
final class ChildProcess: Sendable {
  private let id: pid_t
  /// The status from `waitpid`; nil while the program runs.
  private let waitStatus = Mutex<Int32?>(nil)
  /// Standard output and standard error.
  let outputFile: String
  let errorFile: String

  /// Starts `executable` with the given variables and those of `TestDatabase`. Of the tests' own
  /// variables, it gets only `PATH`, `HOME`, `LANG` and `LD_LIBRARY_PATH`: a developer's settings
  /// must not change a result.
  init(
    _ executable: String, _ arguments: [String], environment: [String: String] = [:],
    folder: TemporaryFolder, input: String = ""
  ) throws {
    let name = UUID().uuidString
    outputFile = try folder.write("\(name).out", "")
    errorFile = try folder.write("\(name).err", "")
    let inputFile = try folder.write("\(name).in", input)
    let inherited = ProcessInfo.processInfo.environment
    var environment = environment
    #if canImport(TestPrograms)
      environment.merge(try TestDatabase.environment(of: arguments)) { given, _ in given }
    #endif
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

  /// The exit status, or the negative number of a signal; nil while the program runs.
  private var status: Int32? {
    waitStatus.withLock { known in
      var told: Int32 = 0
      if known == nil, waitpid(id, &told, WNOHANG) == id { known = told }
      return known.map { $0 & 0x7F == 0 ? $0 >> 8 & 0xFF : -($0 & 0x7F) }
    }
  }

  /// The output to standard output so far.
  var output: String { (try? String(contentsOfFile: outputFile, encoding: .utf8)) ?? "" }
  var errors: String { (try? String(contentsOfFile: errorFile, encoding: .utf8)) ?? "" }

  /// Asks the program to end (SIGTERM).
  func terminate() { signal(SIGTERM) }

  /// Ends the program at once (SIGKILL).
  func kill() { signal(SIGKILL) }

  /// Sends SIGHUP. A server then reads its certificate files again.
  func hangUp() { signal(SIGHUP) }

  /// Removes the running program's limit on the size of files.
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

  /// Waits until the program has ended.
  ///
  /// - Returns: The exit status, or the negative number of the signal that ended the program.
  /// - Throws: `Timeout` if the program doesn't end in time. It is then killed.
  @discardableResult
  func end(within seconds: Double = 300) async throws -> Int32 {
    _ = try await Deadline.wait(seconds: seconds) { !isRunning }
    guard let status else {
      kill()
      throw Timeout("The program didn't end within \(seconds) s.\n\(output)\n\(errors)")
    }
    return status
  }
}

/// Checks a condition repeatedly until it holds or the time is over.
enum Deadline {
  private static let firstPause = Duration.milliseconds(10)
  private static let longestPause = Duration.milliseconds(500)

  /// The pauses between the checks grow: a check may start a program or read a long response, and
  /// takes the processors from what it waits for.
  ///
  /// - Parameter seconds: Only a failing test waits this long. It is generous because a test shares
  ///   the processors with all others.
  /// - Returns: Whether the condition held in time.
  static func wait(
    seconds: Double = 300, until holds: () async throws -> Bool
  ) async throws -> Bool {
    let end = ContinuousClock.now + .seconds(seconds)
    var pause = firstPause
    while try await !holds() {
      guard ContinuousClock.now < end else { return false }
      try await Task.sleep(for: pause)
      pause = min(pause * 1.25, longestPause)
    }
    return true
  }
}

struct Timeout: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
