public import Foundation

/// Keeps a session between launches: a few kilobytes for each key.
///
/// The functions are synchronous, as keychains and files are. Implementations don't interpret the
/// data.
///
/// - `KeychainStore`: for apps on Apple's platforms.
/// - ``FileStore``: for all other programs whose data has to survive the process.
/// - ``MemoryStore``: for tests, and for users who don't want to stay signed in.
public protocol SessionStore: Sendable {
  /// - Returns: Nil only if there certainly is no value.
  /// - Throws: ``StoreFault`` if it isn't known whether there is a value.
  func read(_ key: String) throws(StoreFault) -> Data?
  /// When this returns, the value is durable, if the store outlives the process.
  func write(_ data: Data, for key: String) throws(StoreFault)
  /// Removing a value that doesn't exist is not an error.
  func remove(_ key: String) throws(StoreFault)
  /// Reads the value, calls `change` with it, and writes the result. If `change` returns nil, the
  /// value is removed. No other thread changes the value in between. In a store with a lock between
  /// processes, such as ``FileStore``, no other process does either. Another store, such as
  /// `KeychainStore`, notices that another process has changed the value, and calls `change` again with
  /// the new one.
  ///
  /// `change` must not call the store, because this would block forever. If `change` throws, the
  /// value stays unchanged.
  /// - Returns: The value after the change.
  func update(
    _ key: String, _ change: (Data?) throws(StoreFault) -> Data?
  ) throws(StoreFault) -> Data?
}

/// A store that can say when another process has changed it.
package protocol SharedSessionStore: SessionStore {
  /// - Parameter changed: Called after a change by another process, and maybe after one by this process, until
  ///   the result is called. On any thread, which it must not block.
  /// - Returns: Ends the calls. Nil if no other process changes the store.
  func observeChanges(_ changed: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)?
}

/// The limits of every store.
enum StoreLimits {
  /// A session has a few kilobytes; longer values are rejected.
  static let valueBytes = 1 << 20
  static let keyBytes = 512

  static func check(_ key: String) throws(StoreFault) {
    guard !key.isEmpty, key.utf8.count <= keyBytes else {
      throw StoreFault(.unwritable, detail: "A key has 1 to \(keyBytes) bytes")
    }
  }

  static func check(_ data: Data) throws(StoreFault) {
    guard data.count <= valueBytes else {
      throw StoreFault(.unwritable, detail: "More than \(valueBytes) bytes for one key")
    }
  }
}
