/// The format of Apple's `user` parameter: `{"name":{"firstName":…,"lastName":…}}`.
extension UserName {
  /// The longest part of a name, in UTF-8 bytes. Longer parts are dropped.
  ///
  /// The server stores the first 256 characters of a name, and a character of most names has at most
  /// four bytes.
  public static let maximumPartBytes = 1024

  /// Ignores `email` and all other members.
  ///
  /// Nil if the text has another format or contains no name. A part that is too long is dropped,
  /// and control characters are removed: a sign-in must not fail because of a name.
  public init?(json: String) {
    // Four bytes may be written as `\ud842\udfb7`, which are twelve.
    let limits = JSONLimits(
      bytes: 8192, depth: 4, values: 16, stringBytes: 3 * Self.maximumPartBytes)
    guard let value = try? JSONValue(parsing: json, limits: limits) else { return nil }
    let name = value["name"]
    self.init(firstName: Self.part(name?["firstName"]), lastName: Self.part(name?["lastName"]))
  }

  public var json: String {
    var writer = JSONWriter()
    writer.object {
      $0.object("name") {
        $0.member("firstName", ifPresent: firstName)
        $0.member("lastName", ifPresent: lastName)
      }
    }
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private static func part(_ value: JSONValue?) -> String? {
    guard let text = value?.string, text.utf8.count <= maximumPartBytes else { return nil }
    let part = String(
      String.UnicodeScalarView(
        text.unicodeScalars.filter { $0.properties.generalCategory != .control }))
    return part.isEmpty ? nil : part
  }
}
