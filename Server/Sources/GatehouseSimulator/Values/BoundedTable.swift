/// A dictionary with a limited number of entries. A new entry over the limit removes the oldest.
struct BoundedTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let limit: Int
  private var values: [Key: Value] = [:]
  /// The keys from oldest to newest. Those before `head` are removed.
  private var order: [Key] = []
  private var head = 0

  /// - Parameter limit: The maximum number of entries, at least 1.
  init(limit: Int) {
    self.limit = max(1, limit)
  }

  var count: Int { values.count }

  var keys: some Collection<Key> { values.keys }

  subscript(key: Key) -> Value? { values[key] }

  /// Stores `value`. An entry that gets a new value keeps its age.
  mutating func set(_ value: Value, for key: Key) {
    if values.updateValue(value, forKey: key) != nil { return }
    order.append(key)
    if values.count > limit {
      values[order[head]] = nil
      head += 1
    }
    if head > limit {
      order.removeFirst(head)
      head = 0
    }
  }
}
