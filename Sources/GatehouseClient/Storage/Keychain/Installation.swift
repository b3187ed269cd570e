import Foundation
import Synchronization

/// Whether this installation of the app has begun to use the keychain.
package final class Installation: Sendable {
  private let key: String
  private let marker: any SessionStore
  private let hasBegun = Mutex(false)

  /// - Parameter marker: A store that is removed with the app. It must be files, not
  ///   `UserDefaults`: until the device is first unlocked after its start, user defaults look
  ///   empty, but reading a file fails.
  package init(service: String, marker: any SessionStore) {
    key = "installed \(service)"
    self.marker = marker
  }

  /// Runs `forget` before anything else, once for each installation.
  ///
  /// If it throws, the next call tries again: the marker is set only afterwards.
  package func begin(forgetting forget: () throws(StoreFault) -> Void) throws(StoreFault) {
    try hasBegun.withLock { hasBegun throws(StoreFault) in
      if hasBegun { return }
      if try marker.read(key) == nil {
        try forget()
        try marker.write(Data(), for: key)
      }
      hasBegun = true
    }
  }
}
