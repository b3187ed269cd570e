extension String {
  /// The text with what a terminal obeys, or shows in another place than where it stands, written
  /// as `\u{1b}`: control characters, line ends and those that turn the direction of writing.
  ///
  /// For what clients may have chosen, such as a person's name.
  var printable: String {
    unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        text += "\\u{\(String(scalar.value, radix: 16))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}
