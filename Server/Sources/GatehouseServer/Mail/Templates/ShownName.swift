import GatehouseProtocol

/// A user's display name as a mail may show it.
package enum ShownName {
  static let maximumLength = 64
  private static let maximumBytes = 256

  /// The name on one line, or nil if a mail must not show it.
  ///
  /// Anyone can have the server send a mail to an address that isn't theirs, and choose the name in
  /// it. Spammers use names such as `Win money http://evil.example`, because mail programs make a link
  /// of everything that looks like one. The server's reputation would help to deliver the spammer's
  /// link. Such a name is left out, not cut or escaped: the greeting is complete without it. A few
  /// harmless names are left out too, such as `St.John`.
  package static func shown(_ name: String) -> String? {
    let line = HeaderText.line(name, maximumLength: maximumBytes + 1)
    guard !line.isEmpty, line.count <= maximumLength, line.utf8.count <= maximumBytes,
      !looksLikeLink(line)
    else { return nil }
    return line
  }

  /// Whether a mail program could make a link of a part of the text: `://`, `www.`, an address with
  /// `@`, a path, or a dot between two letters or digits, as in `evil.example`.
  private static func looksLikeLink(_ text: String) -> Bool {
    let folded = text.asciiLowercased
    if folded.contains("www.") { return true }
    // Also the dots of IDNA (RFC 3490 §3.1), full-width forms, and characters that look like a slash.
    let dots: Set<Unicode.Scalar> = [".", "\u{3002}", "\u{FF0E}", "\u{FF61}", "\u{2024}"]
    let marks: Set<Unicode.Scalar> = [
      "/", "\\", "@", "\u{FF0F}", "\u{FF20}", "\u{2044}", "\u{2215}",
    ]
    let scalars = Array(text.unicodeScalars)
    return scalars.indices.contains { index in
      if marks.contains(scalars[index]) { return true }
      guard dots.contains(scalars[index]), index > 0, index + 1 < scalars.count else {
        return false
      }
      return [scalars[index - 1], scalars[index + 1]].allSatisfy {
        $0.properties.isAlphabetic || $0.properties.numericType != nil
      }
    }
  }
}
