public import Foundation

/// How much the SDK logs. The raw values are Google's, which are those of syslog.
public enum FirebaseLoggerLevel: Int, Sendable {
  case error = 3
  case warning = 4
  case notice = 5
  case info = 6
  case debug = 7

  /// The level with the fewest messages.
  public static let min = FirebaseLoggerLevel.error
  /// The level with the most messages.
  public static let max = FirebaseLoggerLevel.debug
}

/// Settings for all apps of the process. Safe to use from any thread.
// `@unchecked`: `lock` guards what changes. An open class can't be checked.
open class FirebaseConfiguration: NSObject, @unchecked Sendable {
  open class var shared: FirebaseConfiguration { only }
  private static let only = FirebaseConfiguration()

  private let lock = NSLock()
  private var level = FirebaseLoggerLevel.notice

  /// Messages above `loggerLevel` are left out. `notice` at first.
  ///
  /// Messages are at most as detailed as the code of an error and the text of a `StoreFault`: they
  /// have no token, password, email or user's id. They go to `os.Logger` with the subsystem
  /// `gatehouse`, on Linux to standard error.
  open func setLoggerLevel(_ loggerLevel: FirebaseLoggerLevel) {
    lock.withLock { level = loggerLevel }
  }

  open func loggerLevel() -> FirebaseLoggerLevel { lock.withLock { level } }
}

/// The version of Gatehouse's SDK, such as `0.1.0`. Google's function returns the version of Firebase.
public func FirebaseVersion() -> String { "0.1.0" }
