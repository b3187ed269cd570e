/// Reads a message's fields according to the JSON mapping of Protocol Buffers.
///
/// A field is requested by its camelCase name and also found under its snake_case name. `null` is
/// the same as absent. Unknown fields are ignored.
///
/// As Google's service does, it accepts a number for a text, one value for a list of one, and the words and digits of
/// ``bool(_:)`` for a boolean.
public struct WireFields: Sendable {
  public let object: JSONObject
  private let path: String

  public init(_ object: JSONObject) { self.init(object, path: "") }

  private init(_ object: JSONObject, path: String) {
    self.object = object
    self.path = path
  }

  /// The value of the field, of any type; nil if it is absent or `null`.
  public func value(_ name: StaticString) -> JSONValue? {
    for member in object.members where Self.names(member.name, name) {
      if member.value.isNull { return nil }
      return member.value
    }
    return nil
  }

  /// Whether the field is present, even as `null`.
  public func contains(_ name: StaticString) -> Bool {
    object.members.contains { Self.names($0.name, name) }
  }

  /// A text, or a number as it is written.
  public func string(_ name: StaticString) throws(WireError) -> String? {
    guard let value = value(name) else { return nil }
    guard let string = Self.text(value) else { throw wrong(name, .string) }
    return string
  }

  /// ``string(_:)``, but nil for an empty string.
  public func nonEmptyString(_ name: StaticString) throws(WireError) -> String? {
    guard let string = try string(name), !string.isEmpty else { return nil }
    return string
  }

  /// - Throws: ``WireError`` also for a text that is missing or empty.
  public func requiredString(_ name: StaticString) throws(WireError) -> String {
    guard let text = try nonEmptyString(name) else { throw wrong(name, .string) }
    return text
  }

  /// A boolean; 1 or 0; or a text: `true`, `yes`, `t`, `y` or `1`, `false`, `no`, `f`, `n` or `0`, in any case.
  public func bool(_ name: StaticString) throws(WireError) -> Bool? {
    guard let value = value(name) else { return nil }
    guard let bool = Self.bool(value) else { throw wrong(name, .bool) }
    return bool
  }

  /// An integer, or its decimal digits as a string. A number may have a fraction of zero or an
  /// exponent: `1e3` and `1000.0` are integers too, as in Protocol Buffers.
  public func int64(_ name: StaticString) throws(WireError) -> Int64? {
    guard let value = value(name) else { return nil }
    guard let integer = Self.integer(value) else { throw wrong(name, .int64) }
    return integer
  }

  public func strings(_ name: StaticString) throws(WireError) -> [String] {
    var strings: [String] = []
    for (index, element) in elements(name).enumerated() {
      guard let string = Self.text(element) else { throw wrong(name, .string, index) }
      strings.append(string)
    }
    return strings
  }

  /// The texts of a map, with their names; nil if the map is absent.
  public func texts(
    _ name: StaticString
  ) throws(WireError) -> [(name: String, value: String)]? {
    guard let message = try message(name) else { return nil }
    var texts: [(name: String, value: String)] = []
    for member in message.object.members {
      // The error doesn't quote the member's name: the client chose it.
      guard let text = Self.text(member.value) else { throw wrong(name, .string) }
      texts.append((member.name, text))
    }
    return texts
  }

  /// A list of enumerators, each by name or number.
  public func enumerators(_ name: StaticString) throws(WireError) -> [WireEnumerator] {
    var list: [WireEnumerator] = []
    for (index, element) in elements(name).enumerated() {
      guard let enumerator = WireEnumerator(element) else { throw wrong(name, .enumeration, index) }
      list.append(enumerator)
    }
    return list
  }

  public func enumerator(_ name: StaticString) throws(WireError) -> WireEnumerator? {
    guard let value = value(name) else { return nil }
    guard let enumerator = WireEnumerator(value) else { throw wrong(name, .enumeration) }
    return enumerator
  }

  public func message(_ name: StaticString) throws(WireError) -> WireFields? {
    guard let value = value(name) else { return nil }
    guard case .object(let object) = value else { throw wrong(name, .message) }
    return WireFields(object, path: "\(path)\(name).")
  }

  public func messages(_ name: StaticString) throws(WireError) -> [WireFields] {
    var messages: [WireFields] = []
    for (index, element) in elements(name).enumerated() {
      guard case .object(let object) = element else { throw wrong(name, .message, index) }
      messages.append(WireFields(object, path: "\(path)\(name)[\(index)]."))
    }
    return messages
  }

  private func elements(_ name: StaticString) -> [JSONValue] {
    guard let value = value(name) else { return [] }
    guard case .array(let elements) = value else { return [value] }
    return elements
  }

  private func wrong(
    _ name: StaticString, _ wanted: WireError.Kind, _ index: Int? = nil
  ) -> WireError {
    WireError(field: "\(path)\(name)\(index.map { "[\($0)]" } ?? "")", wanted: wanted)
  }

  private static func text(_ value: JSONValue) -> String? {
    switch value {
    case .string(let string): string
    case .number(let number): number.text
    default: nil
    }
  }

  private static func bool(_ value: JSONValue) -> Bool? {
    switch value {
    case .bool(let bool): bool
    case .number(let number):
      switch number.wholeInt64 {
      case 1: true
      case 0: false
      default: nil
      }
    case .string(let text):
      switch text.lowercased() {
      case "true", "yes", "t", "y", "1": true
      case "false", "no", "f", "n", "0": false
      default: nil
      }
    default: nil
    }
  }

  private static func integer(_ value: JSONValue) -> Int64? {
    switch value {
    case .number(let number): number.wholeInt64
    case .string(let text): Int64(text)
    default: nil
    }
  }

  /// Whether `given` is `name` in camelCase or in snake_case. Compares byte by byte without a copy,
  /// because it is called for every field of every request.
  public static func names(_ given: String, _ name: StaticString) -> Bool {
    var given = given.utf8.makeIterator()
    let length = name.utf8CodeUnitCount
    var index = 0
    while index < length {
      let wanted = unsafe name.utf8Start[index]
      guard let byte = given.next() else { return false }
      let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(wanted)
      if byte != wanted {
        guard isUpper, byte == UInt8(ascii: "_"), given.next() == wanted &+ 32 else { return false }
      }
      index += 1
    }
    return given.next() == nil
  }
}

/// A value of an enumeration: its name, or its number in Protocol Buffers.
public enum WireEnumerator: Hashable, Sendable {
  case name(String)
  case number(Int64)

  init?(_ value: JSONValue) {
    switch value {
    case .string(let name): self = Int64(name).map(WireEnumerator.number) ?? .name(name)
    case .number(let number):
      guard let integer = number.wholeInt64 else { return nil }
      self = .number(integer)
    default: return nil
    }
  }

  /// Whether this is the enumerator with that name and number.
  public func names(_ name: String, _ number: Int64) -> Bool {
    switch self {
    case .name(let given): given.utf8.elementsEqual(name.utf8)
    case .number(let given): given == number
    }
  }
}

extension JSONNumber {
  /// The value if it is an integer, in any notation. Nil if a `Double` may not hold it exactly.
  fileprivate var wholeInt64: Int64? {
    int64 ?? double.flatMap { $0.magnitude < 9_007_199_254_740_992 ? Int64(exactly: $0) : nil }
  }
}
