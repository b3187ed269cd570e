/// Text for one line of a header.
enum HeaderText {
  /// The text as one line: without anything that could end the line, hide text or reorder it.
  ///
  /// A control character becomes a space, as do Unicode's line and paragraph separators. Marks that
  /// change the direction of text are removed, because they can show a name or a subject in an order
  /// in which it isn't written. Sequences of spaces become one.
  ///
  /// - Parameter maximumLength: In Unicode scalars.
  static func line(_ text: String, maximumLength: Int) -> String {
    var line = String.UnicodeScalarView()
    var length = 0
    for scalar in text.unicodeScalars where !isDirectionMark(scalar) {
      guard length < maximumLength else { break }
      let isSpace = isSpace(scalar)
      if isSpace, line.isEmpty || line.last == " " { continue }
      line.append(isSpace ? " " : scalar)
      length += 1
    }
    if line.last == " " { line.removeLast() }
    return String(line)
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .spaceSeparator: true
    default: false
    }
  }

  private static func isDirectionMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }
}
