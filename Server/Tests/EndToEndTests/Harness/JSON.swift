import Foundation

/// A JSON value as these tests read and write it. It uses Foundation's parser on purpose: the
/// server's own parser would repeat the server's mistakes.
enum JSON: Sendable, Equatable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  /// A member of an object; null if it is missing, or if the value is no object.
  subscript(name: String) -> JSON {
    if case .object(let members) = self { members[name] ?? .null } else { .null }
  }

  /// An element of an array; null if it is missing, or if the value is no array.
  subscript(index: Int) -> JSON {
    if case .array(let elements) = self, elements.indices.contains(index) {
      elements[index]
    } else {
      .null
    }
  }

  var string: String? { if case .string(let value) = self { value } else { nil } }
  var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  var number: Double? { if case .number(let value) = self { value } else { nil } }
  var array: [JSON] { if case .array(let elements) = self { elements } else { [] } }
  var isNull: Bool { self == .null }

  /// The sorted names of an object's members.
  var names: [String] {
    if case .object(let members) = self { members.keys.sorted() } else { [] }
  }
}

extension JSON: Codable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSON].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSON].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .number(let value):
      if let whole = Int64(exactly: value) {
        try container.encode(whole)
      } else {
        try container.encode(value)
      }
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }

  /// Reads JSON; data that isn't JSON becomes null.
  init(reading data: Data) {
    self = (try? JSONDecoder().decode(JSON.self, from: data)) ?? .null
  }

  var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  init(stringLiteral value: String) { self = .string(value) }
  init(booleanLiteral value: Bool) { self = .bool(value) }
  init(integerLiteral value: Int) { self = .number(Double(value)) }
  init(arrayLiteral elements: JSON...) { self = .array(elements) }
  init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { _, last in last }))
  }

  /// The members that aren't nil.
  static func members(_ pairs: KeyValuePairs<String, String?>) -> JSON {
    .object(
      Dictionary(
        pairs.compactMap { pair in pair.value.map { (pair.key, JSON.string($0)) } },
        uniquingKeysWith: { _, last in last }))
  }
}
