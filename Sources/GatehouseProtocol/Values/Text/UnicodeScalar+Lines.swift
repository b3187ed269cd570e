extension Unicode.Scalar {
  /// Whether the character could forge a line of a list or a log, or change how the text around it
  /// is shown: true for control characters, line and paragraph separators, and format characters,
  /// such as those that change the direction of writing.
  public var disturbsLines: Bool {
    if (0x20...0x7E).contains(value) { return false }
    return switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}

extension StringProtocol {
  /// The text with every character that disturbs lines escaped, such as `\u{1b}`.
  ///
  /// For texts that clients or providers may have chosen, such as a user's name, in a list, a log or on a
  /// terminal.
  public var printable: String {
    guard unicodeScalars.contains(where: \.disturbsLines) else { return String(self) }
    return unicodeScalars.reduce(into: "") { text, scalar in
      if scalar.disturbsLines {
        text += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }
}
