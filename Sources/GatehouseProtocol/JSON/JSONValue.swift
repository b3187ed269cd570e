/// One JSON value (RFC 8259 §3).
///
/// Values are compared by content: strings byte for byte, numbers by their text (`1` is not `1.0`),
/// objects member by member in order.
public enum JSONValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case number(JSONNumber)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)

  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0 as UInt8)
    case .bool(let value): hasher.combine(value)
    case .number(let value): hasher.combine(value)
    case .string(let value): hasher.combine(ByteString(value))
    case .array(let value): hasher.combine(value)
    case .object(let value): hasher.combine(value)
    }
  }
}

extension JSONValue {
  /// The value if it is a string; nothing is converted.
  public var string: String? { if case .string(let value) = self { value } else { nil } }

  /// The value if it is a boolean; `"true"` and `1` are not.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  public var number: JSONNumber? { if case .number(let value) = self { value } else { nil } }

  /// The value if it is a number whose text is an integer of 64 bits; see ``JSONNumber/int64``.
  public var int64: Int64? { number?.int64 }

  /// The value if it is a number within the range of `Double`, rounded to the nearest.
  public var double: Double? { number?.double }

  public var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }

  public var object: JSONObject? { if case .object(let value) = self { value } else { nil } }

  public var isNull: Bool { if case .null = self { true } else { false } }

  /// The member `name` if the value is an object that has it.
  public subscript(name: String) -> JSONValue? { object?[name] }
}

/// There is no nil literal. `nil` means that there is no value; `.null` is the value `null`.
extension JSONValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(integerLiteral value: Int64) { self = .number(JSONNumber(value)) }
  public init(stringLiteral value: String) { self = .string(value) }
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(elements.map { JSONObject.Member(name: $0.0, value: $0.1) }))
  }
}
