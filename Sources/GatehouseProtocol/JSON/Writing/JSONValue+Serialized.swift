extension JSONValue {
  /// The value as JSON text without white space. Numbers keep their original text.
  ///
  /// - Parameter sortedKeys: Orders members by the UTF-8 bytes of their names, at every level;
  ///   otherwise they keep their order.
  public func serialized(sortedKeys: Bool = false) -> [UInt8] {
    var writer = JSONWriter()
    writer.write(self, sortedKeys: sortedKeys)
    return writer.bytes
  }

  /// ``serialized(sortedKeys:)`` as a string.
  public func text(sortedKeys: Bool = false) -> String {
    String(decoding: serialized(sortedKeys: sortedKeys), as: UTF8.self)
  }
}

extension JSONObject {
  /// The object as JSON text; see ``JSONValue/serialized(sortedKeys:)``.
  public func serialized(sortedKeys: Bool = false) -> [UInt8] {
    JSONValue.object(self).serialized(sortedKeys: sortedKeys)
  }
}

extension JSONWriter {
  mutating func write(_ value: JSONValue, sortedKeys: Bool) {
    switch value {
    case .null: null()
    case .bool(let bool): self.value(bool)
    case .number(let number): raw(number.text.utf8)
    case .string(let string): self.value(string)
    case .array(let elements):
      array { for element in elements { $0.write(element, sortedKeys: sortedKeys) } }
    case .object(let object):
      self.object { writer in
        let members =
          sortedKeys
          ? object.members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
          : object.members
        for member in members {
          writer.name(member.name)
          writer.write(member.value, sortedKeys: sortedKeys)
        }
      }
    }
  }
}
