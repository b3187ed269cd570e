import Foundation
import HTTPTypes
import Testing

/// A response of the simulator.
struct Reply: Sendable {
  let status: Int
  let headers: HTTPFields
  let body: Data

  var text: String { String(decoding: body, as: UTF8.self) }

  /// The `error` of an error response.
  var error: String? { JSONText(body).string("error") }
  var errorDescription: String? { JSONText(body).string("error_description") }
  var json: JSONText { JSONText(body) }

  /// The parameters of the redirect, from its query or its fragment.
  func redirectParameters(_ separator: Character = "?") throws -> [String: String] {
    let location = try #require(headers[.location])
    let parts = location.split(separator: separator, maxSplits: 1)
    try #require(parts.count == 2)
    return Dictionary(
      parts[1].split(separator: "&").map { pair in
        let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(halves[0]), String(halves[1]).removingPercentEncoding ?? "")
      }
    ) { first, _ in first }
  }

  /// The hidden fields of a form_post page.
  func formFields() throws -> [String: String] {
    let matches = text.matches(of: /<input type="hidden" name="([^"]*)" value="([^"]*)">/)
    return Dictionary(
      matches.map { match in
        let value = String(match.2).replacing("&quot;", with: "\"").replacing("&#39;", with: "'")
          .replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
        return (String(match.1), value)
      }
    ) { first, _ in first }
  }
}

/// A JSON object, read member by member.
struct JSONText: Sendable {
  private let data: Data

  init(_ data: Data) { self.data = data }
  init(_ text: String) { data = Data(text.utf8) }

  private var members: [String: Any] {
    (try? JSONSerialization.jsonObject(with: data)) as? [String: Any] ?? [:]
  }

  var names: Set<String> { Set(members.keys) }

  func string(_ name: String) -> String? { members[name] as? String }

  func isNull(_ name: String) -> Bool { members[name] is NSNull }

  func strings(_ name: String) -> [String]? { members[name] as? [String] }

  /// An integer, if it isn't written as a boolean or a string.
  func integer(_ name: String) -> Int? {
    isBool(name) ? nil : members[name] as? Int
  }

  /// A boolean, if it isn't written as a number or a string.
  func bool(_ name: String) -> Bool? {
    isBool(name) ? members[name] as? Bool : nil
  }

  func object(_ name: String) -> JSONText? {
    members[name].flatMap { $0 as? [String: Any] }.flatMap(Self.init(member:))
  }

  func objects(_ name: String) -> [JSONText] {
    (members[name] as? [[String: Any]] ?? []).compactMap(Self.init(member:))
  }

  private init?(member: [String: Any]) {
    guard let data = try? JSONSerialization.data(withJSONObject: member) else { return nil }
    self.data = data
  }

  private func isBool(_ name: String) -> Bool {
    // The parser converts between numbers and booleans, so the text is inspected.
    let text = String(decoding: data, as: UTF8.self)
    return text.contains("\"\(name)\":true") || text.contains("\"\(name)\":false")
  }
}
