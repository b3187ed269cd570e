import Foundation
import GatehouseProtocol

/// Whether this installation of the app has begun to use the keychain.
package final class Installation: Sendable {
  private let key: String
  private let marker: any SessionStore
  private let hasBegun = Locked(false)

  /// - Parameter marker: A store that is removed with the app. It must be files, not
  ///   `UserDefaults`: until the device is first unlocked after its start, user defaults look
  ///   empty, but reading a file fails.
  package init(service: String, marker: any SessionStore) {
    key = "installed \(service)"
    self.marker = marker
  }

  /// Runs `forget` before anything else, once for each installation. The marker is set afterwards.
  ///
  /// If `forget` fails, or the marker can't be read or written, the next call tries again.
  ///
  /// - Returns: Why the marker couldn't be written; nil if it is set. As long as it isn't set,
  ///   everything is forgotten, and nothing may be written: the next launch would forget it.
  package func begin(
    forgetting forget: () throws(StoreFault) -> Void
  ) throws(StoreFault) -> StoreFault? {
    try hasBegun.withLock { hasBegun throws(StoreFault) -> StoreFault? in
      if hasBegun { return nil }
      if try marker.read(key) == nil {
        try forget()
        do throws(StoreFault) {
          try marker.write(Data(), for: key)
        } catch {
          return error
        }
      }
      hasBegun = true
      return nil
    }
  }
}
