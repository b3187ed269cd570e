import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct ProjectPoliciesTests {
  @Test func `every policy that is stored is read again`() throws {
    let standard = try Self.stored(ProjectPolicies())
    let paths = Self.paths(in: standard)
    #expect(paths.count > 40)
    for path in paths {
      // One of the candidates is of the policy's type, and is not its default.
      let isRead = try Self.candidates.contains { value in
        let changed = Self.replacing(path[...], by: value, in: standard)
        guard changed != standard, let policies = Self.policies(changed) else { return false }
        return try Self.stored(policies) == changed
      }
      #expect(
        isRead,
        """
        \(path.joined(separator: ".")): `init(from:)` doesn't read it, or `candidates` has no value of \
        its type
        """)
    }
  }

  @Test func `every policy is stored`() throws {
    let policies = ProjectPolicies()
    let stored = try Self.stored(policies)
    #expect(Self.properties(of: policies) == Self.names(in: stored))
    let groups: [(name: String, value: Any)] = [
      ("passwordPolicy", policies.passwordPolicy), ("rateLimits", policies.rateLimits),
      ("email", policies.email), ("providerEvents", policies.providerEvents),
      ("phone", policies.phone), ("tokens", policies.tokens),
    ]
    for group in groups {
      let members = try #require(stored[group.name]?.object)
      #expect(Self.properties(of: group.value) == Self.names(in: members))
    }
  }

  /// Values of every type that a policy has.
  private static let candidates: [JSONValue] = [
    .bool(true), .bool(false), .number(JSONNumber(Int64(7777))), .string("text"),
    .array([.string("text")]), .object(JSONObject([.init(name: "name", value: .string("text"))])),
    .string(NonceSource.server.rawValue), .string(LinkConsent.always.rawValue),
    .string(ProviderEventPolicy.Action.ignore.rawValue), .string(TokenAlgorithm.es256.rawValue),
  ]

  private static func stored(_ policies: ProjectPolicies) throws -> JSONObject {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return try JSONObject(parsing: Array(try encoder.encode(policies)))
  }

  /// Nil if a value isn't of the policy's type.
  private static func policies(_ object: JSONObject) -> ProjectPolicies? {
    let bytes = JSONValue.object(object).serialized()
    return try? JSONDecoder().decode(ProjectPolicies.self, from: Data(bytes))
  }

  /// The names that lead to each value. A policy without members, such as an empty dictionary, is a value.
  private static func paths(in object: JSONObject) -> [[String]] {
    object.members.flatMap { member -> [[String]] in
      guard let inner = member.value.object, !inner.isEmpty else { return [[member.name]] }
      return paths(in: inner).map { [member.name] + $0 }
    }
  }

  private static func replacing(
    _ path: ArraySlice<String>, by value: JSONValue, in object: JSONObject
  ) -> JSONObject {
    guard let name = path.first else { return object }
    var object = object
    if path.count > 1, let inner = object[name]?.object {
      object[name] = .object(replacing(path.dropFirst(), by: value, in: inner))
    } else {
      object[name] = value
    }
    return object
  }

  private static func properties(of value: Any) -> Set<String> {
    Set(Mirror(reflecting: value).children.compactMap(\.label))
  }

  private static func names(in object: JSONObject) -> Set<String> {
    Set(object.members.map(\.name))
  }
}
