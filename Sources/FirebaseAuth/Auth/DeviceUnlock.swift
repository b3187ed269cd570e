import Foundation

/// Reads the store again when the system says that the device was unlocked.
///
/// By the notification's name, which needs no UIKit: where it is never posted, nothing happens.
final class DeviceUnlock: @unchecked Sendable {  // Nothing changes after `init`.
  private let observer: any NSObjectProtocol

  init(_ unlocked: @escaping @Sendable () -> Void) {
    observer = NotificationCenter.default.addObserver(
      forName: NSNotification.Name("UIApplicationProtectedDataDidBecomeAvailable"), object: nil,
      queue: nil
    ) { _ in unlocked() }
  }

  deinit { NotificationCenter.default.removeObserver(observer) }
}
