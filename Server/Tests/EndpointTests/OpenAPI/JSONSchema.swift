import GatehouseProtocol

/// Compares JSON values with the schemas of a document of OpenAPI.
///
/// Knows the keywords of JSON Schema 2020-12 that `/openapi.json` uses. `format` is not checked.
struct JSONSchema {
  /// `components.schemas`.
  private let schemas: [String: JSONValue]

  init(_ schemas: JSONObject) {
    self.schemas = Dictionary(
      schemas.members.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  /// Why the value of a response breaks the schema; empty if it doesn't.
  func faults(in value: JSONValue, _ schema: JSONValue) -> [String] {
    examine(value, schema, "").faults
  }

  private struct Examination {
    var faults: [String] = []
    /// The members that some part of the schema describes.
    var described: Set<String> = []

    static func + (left: Examination, right: Examination) -> Examination {
      Examination(
        faults: left.faults + right.faults, described: left.described.union(right.described))
    }
  }

  private func examine(_ value: JSONValue, _ schema: JSONValue, _ place: String) -> Examination {
    var found = Examination(faults: Self.plainFaults(value, schema, Self.name(place)))
    if let target = self.target(of: schema) { found = found + examine(value, target, place) }
    for part in schema["allOf"]?.array ?? [] { found = found + examine(value, part, place) }
    for keyword in ["anyOf", "oneOf"] {
      guard let parts = schema[keyword]?.array else { continue }
      found = found + chosen(parts.map { examine(value, $0, place) }, place)
    }
    if case .object(let object) = value {
      found = found + members(of: object, schema, place, known: found.described)
    }
    if case .array(let elements) = value, let items = schema["items"] {
      for (index, element) in elements.enumerated() {
        found.faults += examine(element, items, "\(place)[\(index)]").faults
      }
    }
    return found
  }

  /// The alternatives that fit; if none does, the faults of the nearest one.
  private func chosen(_ parts: [Examination], _ place: String) -> Examination {
    let fitting = parts.filter(\.faults.isEmpty)
    if !fitting.isEmpty { return fitting.reduce(Examination(), +) }
    return parts.min { $0.faults.count < $1.faults.count } ?? Examination()
  }

  private func members(
    of object: JSONObject, _ schema: JSONValue, _ place: String, known: Set<String>
  ) -> Examination {
    var found = Examination()
    let properties = schema["properties"]?.object ?? JSONObject()
    let others = schema["additionalProperties"]
    for name in schema["required"]?.array ?? [] {
      if let name = name.string, object[name] == nil {
        found.faults.append("lacks \(Self.name("\(place).\(name)"))")
      }
    }
    for member in object.members {
      let path = "\(place).\(member.name)"
      if let property = properties[member.name] {
        found.described.insert(member.name)
        found.faults += examine(member.value, property, path).faults
        if property["writeOnly"]?.bool == true {
          found.faults.append("has \(Self.name(path)), which is only for requests")
        }
      } else if let others, others.bool == nil {
        found.described.insert(member.name)
        found.faults += examine(member.value, others, path).faults
      } else if others?.bool == false
        || schema["unevaluatedProperties"]?.bool == false && !known.contains(member.name)
      {
        found.faults.append("has \(Self.name(path)), which the description lacks")
      }
    }
    return found
  }

  private static func plainFaults(
    _ value: JSONValue, _ schema: JSONValue, _ place: String
  ) -> [String] {
    if let type = schema["type"]?.string, !isOf(type, value) {
      return ["has \(place) that is not of type \(type): \(value.text().prefix(80))"]
    }
    if let only = schema["const"], value != only {
      return ["has \(place) = \(value.text().prefix(80)), not \(only.text())"]
    }
    if let list = schema["enum"]?.array, !list.contains(value) {
      return ["has \(place) = \(value.text().prefix(80)), which the description's enum lacks"]
    }
    return []
  }

  private static func isOf(_ type: String, _ value: JSONValue) -> Bool {
    switch (type, value) {
    case ("object", .object), ("array", .array), ("string", .string), ("boolean", .bool),
      ("number", .number), ("null", .null):
      true
    case ("integer", .number(let number)): number.int64 != nil
    default: false
    }
  }

  private static func name(_ place: String) -> String {
    place.isEmpty ? "a body" : String(place.drop { $0 == "." })
  }

  private func target(of schema: JSONValue) -> JSONValue? {
    schema["$ref"]?.string.flatMap { schemas[String($0.split(separator: "/").last ?? "")] }
  }
}

extension JSONSchema {
  /// The members of a request that the schema doesn't describe. As the server does, takes snake_case for
  /// camelCase, and one value for a list of one. Doesn't check the values.
  func undescribed(in request: JSONValue, _ schema: JSONValue, at place: String = "") -> [String] {
    if case .array(let elements) = request {
      let items = parts(of: schema).compactMap { $0["items"] }.first ?? schema
      return elements.flatMap { undescribed(in: $0, items, at: place) }
    }
    let parts = parts(of: schema).map { $0["items"].map { self.parts(of: $0) } ?? [$0] }.flatMap(
      \.self)
    guard case .object(let object) = request else { return [] }
    let properties = parts.flatMap { $0["properties"]?.object?.members ?? [] }
    if properties.isEmpty { return [] }
    return object.members.flatMap { member -> [String] in
      // Any request may have it, if it is empty.
      if Self.isSame(member.name, "tenantId") { return [] }
      let path = place.isEmpty ? member.name : "\(place).\(member.name)"
      let property = properties.first { Self.isSame(member.name, $0.name) }
      return property.map { undescribed(in: member.value, $0.value, at: path) } ?? [path]
    }
  }

  /// The schema with all that it refers to.
  private func parts(of schema: JSONValue) -> [JSONValue] {
    let inner =
      (target(of: schema).map { [$0] } ?? [])
      + ["allOf", "anyOf", "oneOf"].flatMap { schema[$0]?.array ?? [] }
    return [schema] + inner.flatMap { parts(of: $0) }
  }

  /// Whether the name is given in camelCase or in snake_case.
  static func isSame(_ given: String, _ name: String) -> Bool {
    given == name
      || given.filter { $0 != "_" }.lowercased() == name.filter { $0 != "_" }.lowercased()
  }
}
