import Foundation

/// The publishers of the existing objects. Combine stores them in the objects with the compiler's
/// help; this table replaces that.
enum PublisherTable {
  private struct Entry {
    weak var object: AnyObject?
    let publisher: ObservableObjectPublisher
  }

  // Guarded by `lock`.
  nonisolated(unsafe) private static var entries: [ObjectIdentifier: Entry] = [:]
  private static let lock = NSLock()

  static func publisher(of object: AnyObject) -> ObservableObjectPublisher {
    lock.withLock {
      let id = ObjectIdentifier(object)
      // An identifier can be reused after its object was released.
      if let entry = entries[id], entry.object === object { return entry.publisher }
      entries = entries.filter { $0.value.object != nil }
      let entry = Entry(object: object, publisher: ObservableObjectPublisher())
      entries[id] = entry
      return entry.publisher
    }
  }
}
