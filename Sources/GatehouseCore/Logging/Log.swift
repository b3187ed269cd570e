internal import Foundation

#if canImport(os)
  internal import os
#endif

/// The log of the SDK. The caller leaves secrets and what identifies a user out of messages.
package enum Log {
  package static func write(_ level: FirebaseLoggerLevel, _ message: String) {
    guard level.rawValue <= FirebaseConfiguration.shared.loggerLevel().rawValue else { return }
    #if canImport(os)
      logger.log(level: type(of: level), "\(message, privacy: .public)")
    #else
      FileHandle.standardError.write(Data("gatehouse: \(level): \(message)\n".utf8))
    #endif
  }

  #if canImport(os)
    private static let logger = Logger(subsystem: "gatehouse", category: "auth")

    private static func type(of level: FirebaseLoggerLevel) -> OSLogType {
      switch level {
      case .error, .warning: .error
      case .notice: .default
      case .info: .info
      case .debug: .debug
      }
    }
  #endif
}
