import Foundation
import GatehouseClient
import GatehouseProtocol

/// A store that fails when a test sets a fault.
final class FaultyStore: SessionStore {
  struct Faults {
    var reading: StoreFault?
    var writing: StoreFault?
  }

  private let store = MemoryStore()
  private let faults = Locked(Faults())

  static let locked = StoreFault(.locked, detail: "scripted")
  static let unwritable = StoreFault(.unwritable, detail: "scripted")

  func fail(reading: StoreFault? = nil, writing: StoreFault? = nil) {
    faults.withLock { $0 = Faults(reading: reading, writing: writing) }
  }

  func read(_ key: String) throws(StoreFault) -> Data? {
    if let fault = faults.withLock(\.reading) { throw fault }
    return try store.read(key)
  }

  func write(_ data: Data, for key: String) throws(StoreFault) {
    if let fault = faults.withLock(\.writing) { throw fault }
    try store.write(data, for: key)
  }

  func remove(_ key: String) throws(StoreFault) {
    if let fault = faults.withLock(\.writing) { throw fault }
    try store.remove(key)
  }

  func update(
    _ key: String, _ change: (Data?) throws(StoreFault) -> Data?
  ) throws(StoreFault) -> Data? {
    let faults = faults.withLock { $0 }
    if let fault = faults.reading ?? faults.writing { throw fault }
    return try store.update(key, change)
  }
}
