import Foundation
import GatehouseProtocol

/// Whether this installation of the app has begun to use the keychain.
package final class Installation: Sendable {
  private let key: String
  private let marker: any SessionStore
  private let hasBegun = Locked(false)

  /// - Parameter marker: A store that is removed with the app. Until the device is first unlocked after its
  ///   start, user defaults look empty, and protected files can't be read.
  package init(service: String, marker: any SessionStore) {
    key = "installed \(service)"
    self.marker = marker
  }

  /// Runs `forget` before anything else, once for each installation. The marker is set afterwards.
  ///
  /// If `forget` fails, or the marker can't be read or written, the next call tries again.
  ///
  /// - Parameter check: Throws if the device is locked. Called if the marker is missing or can't be read: both
  ///   may be because of the lock.
  /// - Returns: Why the marker couldn't be written; nil if it is set. As long as it isn't set,
  ///   everything is forgotten, and nothing may be written: the next launch would forget it.
  package func begin(
    unlocked check: () throws(StoreFault) -> Void, forgetting forget: () throws(StoreFault) -> Void
  ) throws(StoreFault) -> StoreFault? {
    try hasBegun.withLock { hasBegun throws(StoreFault) -> StoreFault? in
      if hasBegun { return nil }
      if try isNew(unlocked: check) {
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

  private func isNew(
    unlocked check: () throws(StoreFault) -> Void
  ) throws(StoreFault) -> Bool {
    do throws(StoreFault) {
      if try marker.read(key) != nil { return false }
    } catch {
      try check()
      throw error
    }
    try check()
    return true
  }
}
