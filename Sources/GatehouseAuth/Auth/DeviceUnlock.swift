import Foundation

/// Reads the store again when the system reports that the device was unlocked.
///
/// Uses the notification's name, so that UIKit isn't needed. On platforms that never post it,
/// nothing happens.
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
