import GatehouseProtocol

/// The members that a message may have, as paths: `name`, `signIn.email.enabled`. `mfa.*` stands
/// for any contents of `mfa`.
///
/// Only searches and requests about a project's settings, its providers and its hooks are checked. If an
/// unknown member were ignored there, an administrator would set something that has no effect. In other
/// requests unknown members are ignored, so that new clients work with old servers.
struct KnownMembers: Sendable {
  private let paths: [[String]]

  init(_ paths: [String]) {
    self.paths = paths.map { $0.split(separator: ".").map(String.init) }
  }

  /// The path of the first unknown member; nil if there is none. `null` is checked like any other
  /// value. Each element of a list is checked as if it were the member's only value.
  func firstUnknown(in fields: WireFields) -> String? {
    Self.firstUnknown(in: .object(fields.object), among: paths[...], at: [])
  }

  private static func firstUnknown(
    in value: JSONValue, among paths: ArraySlice<[String]>, at place: [String]
  ) -> String? {
    switch value {
    case .array(let elements):
      for element in elements {
        if let found = firstUnknown(in: element, among: paths, at: place) { return found }
      }
      return nil
    case .object(let object):
      for member in object.members {
        let matching = paths.filter { path in
          path.count > place.count && isSame(member.name, path[place.count])
        }
        let place = place + [member.name]
        if matching.isEmpty { return place.joined(separator: ".") }
        if matching.contains(where: { $0.count > place.count && $0[place.count] == "*" }) {
          continue
        }
        let within = matching.filter { $0.count > place.count }
        // The reader checks the type of a plain value.
        guard !within.isEmpty else { continue }
        if let found = firstUnknown(in: member.value, among: within[...], at: place) {
          return found
        }
      }
      return nil
    default: return nil
    }
  }

  /// Whether `given` is `name` in camelCase or in snake_case.
  private static func isSame(_ given: String, _ name: String) -> Bool {
    if given.utf8.elementsEqual(name.utf8) { return true }
    var snake: [UInt8] = []
    for byte in name.utf8 {
      if (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) {
        snake += [UInt8(ascii: "_"), byte &+ 32]
      } else {
        snake.append(byte)
      }
    }
    return given.utf8.elementsEqual(snake)
  }
}
