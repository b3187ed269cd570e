public import Foundation

/// Where a session is kept between launches: a few kilobytes per key.
///
/// Synchronous: a keychain and a file are. Implementations don't interpret what they keep.
///
/// - `KeychainStore`: for apps on Apple's platforms.
/// - ``FileStore``: for everything else that outlives its process.
/// - ``MemoryStore``: for tests, and for those who don't want to be remembered.
public protocol SessionStore: Sendable {
  /// - Returns: nil only where there certainly is nothing.
  /// - Throws: ``StoreFault`` where that can't be told.
  func read(_ key: String) throws(StoreFault) -> Data?
  /// Durable when it returns.
  func write(_ data: Data, for key: String) throws(StoreFault)
  /// Nothing there is no error.
  func remove(_ key: String) throws(StoreFault)
  /// Reads, decides and writes with no other process in between. `nil` from `change` removes.
  ///
  /// `change` doesn't call the store: it would wait for itself. What it throws leaves everything as
  /// it was.
  /// - Returns: What is there afterwards.
  func update(
    _ key: String, _ change: (Data?) throws(StoreFault) -> Data?
  ) throws(StoreFault) -> Data?
}

/// What every store holds itself to.
enum StoreLimits {
  /// A session has a few kilobytes; what is longer is none.
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
