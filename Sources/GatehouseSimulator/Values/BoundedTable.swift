/// A dictionary that forgets its oldest entry rather than grow past a limit.
struct BoundedTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let limit: Int
  private var values: [Key: Value] = [:]
  /// The keys by age. Those before `head` are gone.
  private var order: [Key] = []
  private var head = 0

  /// - Parameter limit: How many entries are kept, at least 1.
  init(limit: Int) {
    self.limit = max(1, limit)
  }

  var count: Int { values.count }

  var keys: some Collection<Key> { values.keys }

  subscript(key: Key) -> Value? { values[key] }

  /// Stores `value`. Replacing a value doesn't make its entry younger.
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
