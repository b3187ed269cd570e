/// Parses the bytes in one pass. Holds the position and the counts for the limits.
///
/// The bytes are an argument of each method and not a field: to store a `Span`, the parser would
/// need a lifetime dependency on it.
struct JSONParser {
  let limits: JSONLimits
  var offset = 0
  private var values = 0

  /// In objects with fewer members, duplicates are found by comparison, in larger ones by hashing.
  private static let hashedMembers = 16

  init(limits: JSONLimits) { self.limits = limits }

  /// A whole JSON text: white space, a value, white space, the end.
  mutating func document(_ bytes: Span<UInt8>) throws(JSONError) -> JSONValue {
    guard bytes.count <= limits.bytes else { throw JSONError(.tooManyBytes, offset: limits.bytes) }
    skipWhitespace(bytes)
    let value = try value(bytes, depth: min(limits.depth, JSONLimits.greatestDepth))
    skipWhitespace(bytes)
    guard offset == bytes.count else { throw JSONError(.trailingBytes, offset: offset) }
    return value
  }

  private mutating func value(_ bytes: Span<UInt8>, depth: Int) throws(JSONError) -> JSONValue {
    guard offset < bytes.count else { throw JSONError(.unexpectedEnd, offset: offset) }
    switch bytes[offset] {
    case UInt8(ascii: "\""):
      return .string(try string(bytes))
    case UInt8(ascii: "{"):
      return .object(try object(bytes, depth: depth))
    case UInt8(ascii: "["):
      return .array(try array(bytes, depth: depth))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return .number(try number(bytes))
    case UInt8(ascii: "t"):
      try literal("true", bytes)
      return .bool(true)
    case UInt8(ascii: "f"):
      try literal("false", bytes)
      return .bool(false)
    case UInt8(ascii: "n"):
      try literal("null", bytes)
      return .null
    default:
      throw JSONError(.unexpectedByte, offset: offset)
    }
  }

  private mutating func object(_ bytes: Span<UInt8>, depth: Int) throws(JSONError) -> JSONObject {
    guard depth > 0 else { throw JSONError(.tooDeep, offset: offset) }
    offset += 1
    var members: [JSONObject.Member] = []
    var names: Set<ByteString> = []
    skipWhitespace(bytes)
    if skip(UInt8(ascii: "}"), bytes) { return JSONObject() }
    repeat {
      skipWhitespace(bytes)
      let nameOffset = offset
      guard offset < bytes.count else { throw JSONError(.unexpectedEnd, offset: offset) }
      guard bytes[offset] == UInt8(ascii: "\"") else {
        throw JSONError(.unexpectedByte, offset: offset)
      }
      let name = try string(bytes)
      guard isNew(name, members, &names) else {
        throw JSONError(.duplicateMember, offset: nameOffset, member: name)
      }
      skipWhitespace(bytes)
      try expect(UInt8(ascii: ":"), bytes)
      skipWhitespace(bytes)
      try count()
      members.append(.init(name: name, value: try value(bytes, depth: depth - 1)))
      skipWhitespace(bytes)
    } while skip(UInt8(ascii: ","), bytes)
    try expect(UInt8(ascii: "}"), bytes)
    return JSONObject(distinct: members)
  }

  /// Whether no member has this name. Uses a set for larger objects, so that the time isn't
  /// quadratic.
  private func isNew(
    _ name: String, _ members: [JSONObject.Member], _ names: inout Set<ByteString>
  ) -> Bool {
    if members.count < Self.hashedMembers {
      // Not `contains(where:)`, which would copy each member with its value.
      for index in members.indices where members[index].name.hasSameBytes(as: name) {
        return false
      }
      return true
    }
    if names.isEmpty { for member in members { names.insert(ByteString(member.name)) } }
    return names.insert(ByteString(name)).inserted
  }

  private mutating func array(_ bytes: Span<UInt8>, depth: Int) throws(JSONError) -> [JSONValue] {
    guard depth > 0 else { throw JSONError(.tooDeep, offset: offset) }
    offset += 1
    var elements: [JSONValue] = []
    skipWhitespace(bytes)
    if skip(UInt8(ascii: "]"), bytes) { return elements }
    repeat {
      skipWhitespace(bytes)
      try count()
      elements.append(try value(bytes, depth: depth - 1))
      skipWhitespace(bytes)
    } while skip(UInt8(ascii: ","), bytes)
    try expect(UInt8(ascii: "]"), bytes)
    return elements
  }

  private mutating func count() throws(JSONError) {
    guard values < limits.values else { throw JSONError(.tooManyValues, offset: offset) }
    values += 1
  }

  private mutating func literal(_ text: StaticString, _ bytes: Span<UInt8>) throws(JSONError) {
    for index in 0..<text.utf8CodeUnitCount {
      try expect(unsafe text.utf8Start[index], bytes)
    }
  }

  mutating func skipWhitespace(_ bytes: Span<UInt8>) {
    while offset < bytes.count {
      switch bytes[offset] {
      case 0x20, 0x0A, 0x0D, 0x09: offset += 1
      default: return
      }
    }
  }

  private mutating func skip(_ byte: UInt8, _ bytes: Span<UInt8>) -> Bool {
    guard offset < bytes.count, bytes[offset] == byte else { return false }
    offset += 1
    return true
  }

  private mutating func expect(_ byte: UInt8, _ bytes: Span<UInt8>) throws(JSONError) {
    guard offset < bytes.count else { throw JSONError(.unexpectedEnd, offset: offset) }
    guard bytes[offset] == byte else { throw JSONError(.unexpectedByte, offset: offset) }
    offset += 1
  }
}
