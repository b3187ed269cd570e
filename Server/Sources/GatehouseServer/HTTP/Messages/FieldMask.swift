/// `updateMask`: the fields that a PATCH changes, as comma-separated paths (AIP-134).
///
/// Paths may be in camelCase or snake_case.
struct FieldMask: Hashable, Sendable {
  private let paths: [String]?

  /// No mask: every field in the body is changed, and see ``replaces(_:)``.
  static let absent = FieldMask(paths: nil)

  private init(paths: [String]?) { self.paths = paths }

  /// Nil or an empty string is ``absent``.
  init(_ text: String?) {
    guard let text, !text.isEmpty else {
      self = .absent
      return
    }
    // The server's limit on the length of a URL limits their number.
    paths = text.utf8.split(separator: UInt8(ascii: ",")).map { Self.camelCased($0) }
  }

  /// Whether the body replaces the resource: the mask is `*` (AIP-134).
  var isWhole: Bool { paths?.count == 1 && paths?.first?.utf8.elementsEqual("*".utf8) == true }

  /// Whether `path` changes: the mask names it or a field that contains it (`responseType` covers
  /// `responseType.code`). Without a mask, whether the body contains it.
  func covers(_ path: String, presentInBody: Bool) -> Bool {
    guard let paths else { return presentInBody }
    return paths.contains { named in
      path.utf8.starts(with: named.utf8)
        && (path.utf8.count == named.utf8.count
          || path.utf8.dropFirst(named.utf8.count).first == UInt8(ascii: "."))
    }
  }

  /// Whether `path` gets the value in the body, or its default if the body has none: the mask covers it, or
  /// there is no mask. For the settings that a request without a mask replaces, as in Google's emulator.
  func replaces(_ path: String) -> Bool { paths == nil || covers(path, presentInBody: true) }

  /// Whether `path`, a field that contains it, or a field inside it may change.
  func touches(_ path: String) -> Bool {
    guard let paths else { return true }
    return covers(path, presentInBody: true)
      || paths.contains { $0.utf8.starts(with: "\(path).".utf8) }
  }

  private static func camelCased(_ piece: Substring.UTF8View) -> String {
    var result: [UInt8] = []
    var raises = false
    for byte in piece where byte != UInt8(ascii: " ") {
      if byte == UInt8(ascii: "_") {
        raises = true
      } else {
        let isLower = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        result.append(raises && isLower ? byte &- 32 : byte)
        raises = false
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
