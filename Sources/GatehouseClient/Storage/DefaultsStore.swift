package import Foundation
import GatehouseProtocol

/// Keeps small values in `UserDefaults`, which the system removes with the app.
///
/// For names that aren't secret, and for tvOS, where an app can't write files that last: on a device, only `Caches` and the temporary folder can be
/// written, and the system may empty both. Not for sessions, because other programs may read the file.
package struct DefaultsStore: SessionStore {
  /// Allows one change at a time within the process.
  private static let turn = Locked(0)

  private let suiteName: String?

  /// - Parameter suiteName: Nil for the app's own defaults.
  package init(suiteName: String? = nil) { self.suiteName = suiteName }

  package func read(_ key: String) throws(StoreFault) -> Data? {
    try StoreLimits.check(key)
    return try defaults().data(forKey: name(of: key))
  }

  package func write(_ data: Data, for key: String) throws(StoreFault) {
    _ = try update(key) { _ in data }
  }

  package func remove(_ key: String) throws(StoreFault) {
    _ = try update(key) { _ in nil }
  }

  package func update(
    _ key: String, _ change: (Data?) throws(StoreFault) -> Data?
  ) throws(StoreFault) -> Data? {
    try StoreLimits.check(key)
    let defaults = try defaults()
    return try Self.turn.withLock { _ throws(StoreFault) -> Data? in
      let data = try change(defaults.data(forKey: name(of: key)))
      if let data {
        try StoreLimits.check(data)
        defaults.set(data, forKey: name(of: key))
      } else {
        defaults.removeObject(forKey: name(of: key))
      }
      return data
    }
  }

  /// User defaults compare names as texts; the names of files differ for keys that only look the same.
  private func name(of key: String) -> String { "gatehouse \(StoreFileName(key).text)" }

  private func defaults() throws(StoreFault) -> UserDefaults {
    guard let suiteName else { return .standard }
    guard let defaults = UserDefaults(suiteName: suiteName) else {
      throw StoreFault(.unwritable, detail: "\(suiteName) isn't a valid name of user defaults")
    }
    return defaults
  }
}
