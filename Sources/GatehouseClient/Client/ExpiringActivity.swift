#if canImport(Security) && !os(macOS)
  import Dispatch
  import Foundation
  import Security
#endif

/// Work that should end before the system suspends the app.
enum ExpiringActivity {
  /// Asks the system for time until `work` has returned, in an app and in an extension. If the system gives no more,
  /// `work` is suspended with the app. Only on platforms that suspend apps.
  static func during<Value: Sendable>(
    _ reason: String, _ work: () async -> Value
  ) async -> Value {
    #if canImport(Security) && !os(macOS)
      // The activity lasts until its block returns. The system calls the block once more if the time is over.
      let end = DispatchSemaphore(value: 0)
      ProcessInfo.processInfo.performExpiringActivity(withReason: reason) { isExpired in
        if isExpired { end.signal() } else { end.wait() }
      }
      defer { end.signal() }
    #endif
    return await work()
  }
}
