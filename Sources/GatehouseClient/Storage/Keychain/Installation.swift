import Foundation
import Synchronization

/// Whether this installation of the app has begun to use the keychain.
package final class Installation: Sendable {
  private let key: String
  private let marker: any SessionStore
  private let hasBegun = Mutex(false)

  /// - Parameter marker: What an uninstallation removes. Files rather than `UserDefaults`: while the
  ///   device hasn't been unlocked since its start those look empty, where a file can't be read.
  package init(service: String, marker: any SessionStore) {
    key = "installed \(service)"
    self.marker = marker
  }

  /// Runs `forget` before anything else, once in an installation.
  ///
  /// If that throws it is tried again with the next call, as the marker is set only afterwards.
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
