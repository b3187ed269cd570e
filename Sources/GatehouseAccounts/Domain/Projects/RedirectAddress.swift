/// An address at which a project's native apps take their answers: `https://…` on a page of the
/// project's, or an app's own scheme.
package enum RedirectAddress {
  /// So many a project may have.
  package static let maximumCount = 50
  package static let maximumBytes = 2048

  /// Whether a browser may be sent to `text` because a project lists it: visible ASCII without a
  /// fragment; of the web `https` alone, and of other schemes those that an app may have for its own
  /// (RFC 8252 §7.1), so neither `javascript` nor `data`.
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
