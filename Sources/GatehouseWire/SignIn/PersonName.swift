import GatehouseJSON

/// A person's name as Apple's `user` parameter has it. It comes from the client, not from a token:
/// it is what somebody says of themselves.
public struct PersonName: Hashable, Sendable {
  /// A longer part of a name is dropped, in UTF-8 bytes.
  public static let maximumPartBytes = 256

  public var firstName: String?
  public var lastName: String?

  public init(firstName: String?, lastName: String?) {
    self.firstName = firstName
    self.lastName = lastName
  }

  /// Reads `{"name":{"firstName":…,"lastName":…}}`; `email` and anything else is ignored.
  ///
  /// Nil if it isn't that, or holds no name. A part that is too long is dropped, and control characters
  /// are removed: a sign-in doesn't fail for a name.
  public init?(json: String) {
    let limits = JSONLimits(bytes: 4096, depth: 4, values: 16, stringBytes: 2048)
    guard let value = try? JSONValue(parsing: json, limits: limits) else { return nil }
    let name = value["name"]
    self.init(firstName: Self.part(name?["firstName"]), lastName: Self.part(name?["lastName"]))
    if firstName == nil, lastName == nil { return nil }
  }

  private static func part(_ value: JSONValue?) -> String? {
    guard let text = value?.string, text.utf8.count <= maximumPartBytes else { return nil }
    let part = String(
      String.UnicodeScalarView(
        text.unicodeScalars.filter { $0.properties.generalCategory != .control }))
    return part.isEmpty ? nil : part
  }
}
