import Foundation
package import GatehouseProtocol

/// A project's policies by name, for administrators. The names are those that `ProjectPolicies`
/// stores, so a policy that is added there can be set here.
package struct PolicyDocument: Sendable {
  /// A policy within another is a member of an object.
  package let object: JSONObject

  package init(_ policies: ProjectPolicies) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    object = try JSONObject(parsing: Array(try encoder.encode(policies)))
  }

  /// Each policy with its value as a text that ``merging(_:)`` accepts. A policy within another has both
  /// names, separated by a dot.
  package var values: [(name: String, value: String)] { Self.values(of: object) }

  package static func values(of object: JSONObject) -> [(name: String, value: String)] {
    flatten(object, prefix: "")
  }

  /// The policies changed by those in `changes`, which has the form of ``object``. `null` stands for the default. A
  /// text may stand for any value: `true`, `false` and whole numbers are written as such, the values of a list are
  /// separated by commas.
  ///
  /// - Throws: ``PolicyFault`` for an unknown name or a value that its policy doesn't allow. Then nothing is changed.
  package func merging(_ changes: JSONObject) throws(PolicyFault) -> ProjectPolicies {
    let standard = try Self.standard()
    var merged = object
    for (path, value) in Self.leaves(of: changes, within: standard, at: []) {
      let name = path.joined(separator: ".")
      guard Self.value(at: path, in: standard) != nil,
        let old = Self.value(at: path, in: object)
      else {
        throw PolicyFault(Self.unknown(name, among: values.map(\.name)))
      }
      if value == .null {
        merged = Self.replacing(path, by: Self.value(at: path, in: standard) ?? .null, in: merged)
        continue
      }
      let fitting = Self.readings(of: value).lazy.map {
        Self.replacing(path, by: $0, in: merged)
      }.first { Self.policies($0) != nil }
      guard let fitting else {
        throw PolicyFault(
          "\(name): “\(Self.text(of: value))” is not valid; now it is “\(Self.text(of: old))”")
      }
      merged = fitting
    }
    guard let policies = Self.policies(merged) else { throw PolicyFault("not valid") }
    if let fault = policies.fault { throw PolicyFault(fault) }
    return policies
  }

  private static func standard() throws(PolicyFault) -> JSONObject {
    guard let document = try? PolicyDocument(ProjectPolicies()) else {
      throw PolicyFault("not valid")
    }
    return document.object
  }

  private static func unknown(_ name: String, among names: [String]) -> String {
    let near = Suggestion.nearest(to: name, among: names)
    return near.map { "there is no policy “\(name)”; did you mean “\($0)”?" }
      ?? "there is no policy “\(name)”; there are \(names.joined(separator: ", "))"
  }

  // MARK: Reading and writing

  private static func flatten(
    _ object: JSONObject, prefix: String
  ) -> [(name: String, value: String)] {
    object.members.flatMap { member -> [(name: String, value: String)] in
      let name = prefix + member.name
      if case .object(let inner) = member.value { return flatten(inner, prefix: name + ".") }
      return [(name, text(of: member.value))]
    }
  }

  private static func text(of value: JSONValue) -> String {
    switch value {
    case .string(let text): text
    case .number(let number): number.text
    case .bool(let flag): String(flag)
    case .array(let elements): elements.map(text(of:)).joined(separator: ",")
    case .null, .object: ""
    }
  }

  /// The changed policies. An object in place of a policy that isn't one is its value.
  private static func leaves(
    of changes: JSONObject, within standard: JSONObject, at path: [String]
  ) -> [(path: [String], value: JSONValue)] {
    changes.members.flatMap { member -> [(path: [String], value: JSONValue)] in
      // `a.b` is the same as `b` within `a`.
      let place =
        path + member.name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      if case .object(let inner) = member.value, !isValue(value(at: place, in: standard)) {
        return leaves(of: inner, within: standard, at: place)
      }
      return [(place, member.value)]
    }
  }

  /// Whether the policy is a value of its own, and not an object of policies.
  private static func isValue(_ value: JSONValue?) -> Bool {
    if case .object(let inner)? = value { inner.members.isEmpty } else { true }
  }

  private static func value(at path: [String], in object: JSONObject) -> JSONValue? {
    guard let name = path.first, let value = object[name] else { return nil }
    if path.count == 1 { return value }
    guard case .object(let inner) = value else { return nil }
    return Self.value(at: Array(path.dropFirst()), in: inner)
  }

  /// The possible meanings of the value. The policy's type accepts one of them.
  private static func readings(of value: JSONValue) -> [JSONValue] {
    guard case .string(let text) = value else { return [value] }
    var readings: [JSONValue] = []
    if text == "true" || text == "false" { readings.append(.bool(text == "true")) }
    if let number = Int64(text) { readings.append(.number(JSONNumber(number))) }
    readings.append(.string(text))
    readings.append(.array(text.split(separator: ",").map { .string(String($0)) }))
    return readings
  }

  private static func replacing(
    _ path: [String], by value: JSONValue, in object: JSONObject
  ) -> JSONObject {
    var object = object
    guard let name = path.first else { return object }
    if path.count == 1 {
      object[name] = value
    } else if case .object(let inner)? = object[name] {
      object[name] = .object(replacing(Array(path.dropFirst()), by: value, in: inner))
    }
    return object
  }

  private static func policies(_ object: JSONObject) -> ProjectPolicies? {
    var writer = JSONWriter()
    writer.value(.object(object))
    return try? JSONDecoder().decode(ProjectPolicies.self, from: Data(writer.bytes))
  }
}

/// Why a policy can't be set, with the allowed names or values.
package struct PolicyFault: Error, Hashable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

extension PolicyFault: APIErrorConvertible {
  var apiError: APIError { .invalidConfiguration(.invalidConfig, "\(description).") }
}
