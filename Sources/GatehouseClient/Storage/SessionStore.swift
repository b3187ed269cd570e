public import Foundation

/// Where a session is kept between launches: a few kilobytes per key.
///
/// Synchronous: a keychain and a file are. Implementations don't interpret what they keep.
public protocol SessionStore: Sendable {
  /// - Returns: nil only where there certainly is nothing.
  /// - Throws: ``StoreFault`` where that can't be told.
  func read(_ key: String) throws(StoreFault) -> Data?
  /// Durable when it returns.
  func write(_ data: Data, for key: String) throws(StoreFault)
  func remove(_ key: String) throws(StoreFault)
  /// Reads, decides and writes with no other process in between. `nil` from `change` removes.
  /// - Returns: What is there afterwards.
  func update(
    _ key: String, _ change: (Data?) throws(StoreFault) -> Data?
  ) throws(StoreFault) -> Data?
}
