/// Text of a user's profile, cleaned for storage and display.
package enum PlainText {
  /// A longer name is cut.
  package static let maximumNameCharacters = 256
  /// A longer URL is dropped.
  static let maximumURLBytes = 2048

  /// A name without control characters, line separators, characters that reorder text, and surrounding
  /// white space, cut at the limit. Nil if nothing is left, or if the rest has more than 4096 bytes.
  /// Markup stays as it is: the code that shows the name escapes it.
  package static func name(_ text: String?) -> String? {
    guard let text else { return nil }
    // A first cut by bytes bounds the work, because a character may have many scalars.
    let scalars = String(decoding: text.utf8.prefix(16 * 1024), as: UTF8.self).unicodeScalars
    let kept = scalars.filter { scalar in
      switch scalar.properties.generalCategory {
      // Format characters join emoji and shape scripts: only those that reorder text are removed.
      case .format: !isDirectional(scalar)
      case .control, .lineSeparator, .paragraphSeparator, .surrogate: false
      default: true
      }
    }
    var name = Substring(String(String.UnicodeScalarView(kept)))
    while name.first?.isWhitespace == true { name.removeFirst() }
    name = name.prefix(maximumNameCharacters)
    while name.last?.isWhitespace == true { name.removeLast() }
    // A character can have many accents, so the bytes are limited too.
    guard !name.isEmpty, name.utf8.count <= maximumNameCharacters * 16 else { return nil }
    return String(name)
  }

  /// An http or https URL of visible characters; nil for anything else, such as `javascript:`.
  package static func pictureURL(_ text: String?) -> String? {
    guard let text, text.utf8.count <= maximumURLBytes,
      text.utf8.starts(with: "https://".utf8) || text.utf8.starts(with: "http://".utf8),
      text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && !"\"<>".utf8.contains($0) })
    else { return nil }
    return text
  }

  private static func isDirectional(_ scalar: Unicode.Scalar) -> Bool {
    (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
  }
}
