import GatehouseProtocol

/// The actions of sheets and server, in order.
final class Journal: Sendable {
  private let entries = Locked<[String]>([])

  func note(_ entry: String) { entries.withLock { $0.append(entry) } }
  func clear() { entries.withLock { $0 = [] } }

  /// All entries except look-ups, which follow many answers.
  var all: [String] { withLookups.filter { $0 != "lookup" } }
  var withLookups: [String] { entries.withLock { $0 } }
  func count(_ entry: String) -> Int { all.filter { $0 == entry }.count }
}
