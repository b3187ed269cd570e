import Foundation
import Synchronization

/// A real browser: stories in Python that control Debian's Chromium (`Clients/chromium.py`).
enum Chromium {
  /// The number of browsers that may still start. Each fully uses a processor, and tests have time
  /// limits.
  private static let free = Mutex(2)
  private static let secondsToWait = 900.0

  /// Runs one of the stories in `Clients/browser` and returns what it printed.
  ///
  /// At most two run at once, over all suites. Screenshots stay in
  /// `.build/screenshots/<suite>/<story>-<name>.png`.
  ///
  /// - Throws: ``ClientFailure`` with the output of the story and the browser.
  @discardableResult
  static func run(
    _ story: String, _ arguments: [String] = [], suite: String, environment: [String: String]
  ) async throws -> String {
    try await withBrowser(suite, environment) {
      try await Python.run("browser/\(story)", arguments, environment: $0)
    }
  }

  /// Runs `body` beside a story that serves requests over HTTP; see
  /// ``Python/serve(_:_:environment:_:)``.
  static func serve(
    _ story: String, _ arguments: [String], suite: String, environment: [String: String],
    _ body: (JSON) async throws -> Void
  ) async throws {
    try await withBrowser(suite, environment) {
      try await Python.serve("browser/\(story)", arguments, environment: $0, body)
    }
  }

  private static func withBrowser<Result>(
    _ suite: String, _ environment: [String: String],
    _ body: ([String: String]) async throws -> Result
  ) async throws -> Result {
    let isFree = try await Deadline.wait(seconds: secondsToWait) {
      free.withLock { count in
        guard count > 0 else { return false }
        count -= 1
        return true
      }
    }
    guard isFree else { throw Timeout("No browser became free within \(secondsToWait) s.") }
    defer { free.withLock { $0 += 1 } }
    var environment = environment
    environment["GATEHOUSE_SCREENSHOTS"] = "\(Python.repository)/.build/screenshots/\(suite)"
    if let browser = ProcessInfo.processInfo.environment["GATEHOUSE_CHROMIUM"] {
      environment["GATEHOUSE_CHROMIUM"] = browser
    }
    return try await body(environment)
  }
}
