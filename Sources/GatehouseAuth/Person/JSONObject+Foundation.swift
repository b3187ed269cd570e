package import GatehouseProtocol

// JSON in the types of `JSONSerialization`, because apps cast the members of `claims` and
// `profile`.

extension JSONObject {
  package var dictionary: [String: Any] {
    Dictionary(
      members.map { ($0.name, $0.value.foundation) }, uniquingKeysWith: { _, last in last })
  }

  /// The members of `dictionary` that JSON can represent. The others are dropped.
  package init(dictionary: [String: Any]) {
    self.init(
      dictionary.sorted { $0.key < $1.key }.compactMap { name, value in
        JSONValue(foundation: value).map { Member(name: name, value: $0) }
      })
  }
}

extension JSONValue {
  /// `NSNull`, `NSNumber`, `String`, `[Any]`, `[String: Any]`.
  package var foundation: Any {
    switch self {
    case .null: NSNull()
    case .bool(let value): NSNumber(value: value)
    case .number(let number):
      number.int64.map { NSNumber(value: $0) } ?? NSNumber(value: number.double ?? .infinity)
    case .string(let value): value
    case .array(let values): values.map(\.foundation)
    case .object(let object): object.dictionary
    }
  }

  /// - Returns: nil for a value that JSON can't represent.
  package init?(foundation value: Any) {
    switch value {
    case is NSNull: self = .null
    case let text as String: self = .string(text)
    case let list as [Any]: self = .array(list.compactMap(JSONValue.init(foundation:)))
    case let dictionary as [String: Any]: self = .object(JSONObject(dictionary: dictionary))
    // An `NSNumber` becomes a Boolean only if it was created from a `Bool`.
    case let number as NSNumber: self.init(number)
    default: return nil
    }
  }

  private init?(_ number: NSNumber) {
    if number.isBoolean {
      self = .bool(number.boolValue)
    } else if let whole = Int64(exactly: number) {
      self = .number(JSONNumber(whole))
    } else if let number = JSONNumber(number.doubleValue) {
      self = .number(number)
    } else {
      return nil
    }
  }
}

extension NSNumber {
  /// Foundation has one object for true and one for false. A number from an integer 0 or 1 is
  /// another object.
  fileprivate var isBoolean: Bool {
    self === NSNumber(value: true) || self === NSNumber(value: false)
  }
}
