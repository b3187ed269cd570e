/// An address at which a project's native apps receive responses: an `https` URL, or a URL with an
/// app's own scheme.
package enum RedirectAddress {
  /// The maximum number per project.
  package static let maximumCount = 50
  package static let maximumBytes = 2048

  /// Whether a project may list `text` as an address to which a browser is redirected. It must be
  /// visible ASCII without a fragment. Its scheme must be `https`, or one that an app may have as its
  /// own (RFC 8252 §7.1): with a dot, or `app-…`. So `http`, `javascript` and `data` are rejected.
  package static func isValid(_ text: String) -> Bool {
    guard (1...maximumBytes).contains(text.utf8.count), text.utf8.allSatisfy(isPlain),
      let colon = text.utf8.firstIndex(of: UInt8(ascii: ":"))
    else { return false }
    let scheme = text.utf8[..<colon]
    let rest = text.utf8[text.utf8.index(after: colon)...]
    if scheme.elementsEqual("https".utf8) { return rest.starts(with: "//".utf8) && rest.count > 2 }
    return !rest.isEmpty && isSchemeOfApp(scheme)
  }

  private static func isSchemeOfApp(_ scheme: Substring.UTF8View) -> Bool {
    guard let first = scheme.first, (0x61...0x7A).contains(first),
      scheme.allSatisfy({ byte in
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || "+-.".utf8.contains(byte)
      })
    else { return false }
    return scheme.contains(UInt8(ascii: ".")) || scheme.starts(with: "app-".utf8)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x21...0x7E).contains(byte) && !"#\"<>\\^`{|}".utf8.contains(byte)
  }
}
