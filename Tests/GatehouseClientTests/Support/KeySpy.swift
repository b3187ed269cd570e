import Foundation
import GatehouseClient
import GatehouseProtocol

/// An empty store that records the requested keys.
final class KeySpy: SessionStore {
  private let asked = Locked<String?>(nil)

  var key: String? { asked.withLock { $0 } }

  func read(_ key: String) throws(StoreFault) -> Data? {
    asked.withLock { $0 = key }
    return nil
  }

  func write(_ data: Data, for key: String) throws(StoreFault) {}
  func remove(_ key: String) throws(StoreFault) {}
  func update(
    _ key: String, _ change: (Data?) throws(StoreFault) -> Data?
  ) throws(StoreFault) -> Data? { nil }
}
