public import Foundation
import GatehouseProtocol

/// Keeps the data in memory, until the process ends. Fails only for an empty key, and for a key or
/// a value that is too long.
///
/// Clients with the same store share its data.
public final class MemoryStore: SessionStore {
  /// Keys are compared byte for byte, so they are kept as bytes.
  private let values = Locked<[[UInt8]: Data]>([:])

  public init() {}

  public func read(_ key: String) throws(StoreFault) -> Data? {
    try StoreLimits.check(key)
    return values.withLock { $0[Array(key.utf8)] }
  }

  public func write(_ data: Data, for key: String) throws(StoreFault) {
    _ = try update(key) { _ in data }
  }

  public func remove(_ key: String) throws(StoreFault) {
    _ = try update(key) { _ in nil }
  }

  public func update(
    _ key: String, _ change: (Data?) throws(StoreFault) -> Data?
  ) throws(StoreFault) -> Data? {
    try StoreLimits.check(key)
    return try values.withLock { values throws(StoreFault) in
      let data = try change(values[Array(key.utf8)])
      if let data { try StoreLimits.check(data) }
      values[Array(key.utf8)] = data
      return data
    }
  }
}

/// Keeps the data out of logs.
extension MemoryStore: CustomStringConvertible, CustomReflectable {
  public var description: String { "MemoryStore" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
