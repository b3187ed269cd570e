import Foundation
import Synchronization

/// A real browser: stories in Python that control Debian's Chromium (`Clients/chromium.py`).
enum Chromium {
  /// Each browser uses a processor fully, and all tests have time limits.
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
    environment["GATEHOUSE_SCREENSHOTS"] = "\(Python.packageRoot)/.build/screenshots/\(suite)"
    if let browser = ProcessInfo.processInfo.environment["GATEHOUSE_CHROMIUM"] {
      environment["GATEHOUSE_CHROMIUM"] = browser
    }
    return try await Python.run("browser/\(story)", arguments, environment: environment)
  }
}
