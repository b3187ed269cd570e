import Foundation
import GatehouseProtocol

/// A project's policies by name, for the command line. The names are those that `ProjectPolicies`
/// stores, so a policy that is added there can be set here.
package struct PolicyDocument: Sendable {
  private let object: JSONObject

  package init(_ policies: ProjectPolicies) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    object = try JSONObject(parsing: Array(try encoder.encode(policies)))
  }

  /// Each policy with its value in the form that ``assign(_:)`` accepts. A policy within another
  /// has both names, separated by a dot.
  package var values: [(name: String, value: String)] { Self.flatten(object, prefix: "") }

  /// Returns the policies changed by one `name=value`.
  ///
  /// `true`, `false` and whole numbers are written as such; the values of a list are separated by
  /// commas.
  package func assign(_ assignment: String) throws(PolicyFault) -> ProjectPolicies {
    let parts = assignment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { throw PolicyFault("“\(assignment)”: write it as name=value") }
    let (name, text) = (String(parts[0]), String(parts[1]))
    let known = values
    guard let old = known.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
      throw PolicyFault(
        "there is no policy “\(name)”; choose from \(known.map(\.name).joined(separator: ", "))")
    }
    for value in Self.readings(of: text) {
      let changed = Self.replacing(
        name.split(separator: ".").map(String.init), by: value, in: object)
      if let policies = Self.policies(changed) {
        if let fault = policies.fault { throw PolicyFault(fault) }
        return policies
      }
    }
    throw PolicyFault("\(name): “\(text)” is not valid; now it is “\(old.value)”")
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

  /// The possible values of the text. The policy's type accepts one of them.
  private static func readings(of text: String) -> [JSONValue] {
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
